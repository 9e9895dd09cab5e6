// Reads Kanboard's rows into the program's shapes; unknown fields are dropped.
import * as z from "zod/mini";
import type {
  ColumnId,
  CommentId,
  FileId,
  ProjectId,
  SwimlaneId,
  TagId,
  TaskId,
  UserId,
} from "../ids.ts";
import { bool, epochOrNull, id, idOrNull, int, map, text, textOrNull } from "./normalise.ts";
import type {
  Action,
  Activity,
  Column,
  Comment,
  Member,
  Project,
  Swimlane,
  Tag,
  Task,
  TaskFile,
  TaskLink,
  TaskRow,
  User,
} from "./types.ts";

/** Made with its first use: a command of the shell reads five of these, and making all of them takes 10 ms. */
function shape<F extends z.core.$ZodShape, R>(
  fields: () => F,
  toResult: (row: z.output<z.ZodMiniObject<F>>) => R,
): () => z.ZodMiniType<R> {
  let made: z.ZodMiniType<R> | undefined;
  return () =>
    (made ??= z.pipe(z.object(fields()), z.transform(toResult)) as unknown as z.ZodMiniType<R>);
}

const taskFields = () => ({
  id: id<TaskId>(),
  project_id: id<ProjectId>(),
  title: text,
  description: text,
  column_id: id<ColumnId>(),
  swimlane_id: id<SwimlaneId>(),
  owner_id: idOrNull<UserId>(),
  creator_id: idOrNull<UserId>(),
  is_active: bool,
  date_creation: int,
  date_moved: int,
  date_modification: int,
  date_completed: int,
  date_due: epochOrNull,
  score: int,
  priority: int,
  position: int,
  reference: text,
  recurrence_status: int,
  url: z.optional(z.string()),
});

function toTask(row: z.output<z.ZodMiniObject<ReturnType<typeof taskFields>>>): Task {
  return {
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    description: row.description,
    columnId: row.column_id,
    swimlaneId: row.swimlane_id,
    ownerId: row.owner_id,
    creatorId: row.creator_id,
    isActive: row.is_active,
    dateCreation: row.date_creation,
    dateMoved: row.date_moved,
    dateModification: row.date_modification,
    dateCompleted: row.date_completed,
    dateDue: row.date_due,
    score: row.score,
    priority: row.priority,
    position: row.position,
    reference: row.reference,
    recurrenceStatus: row.recurrence_status,
    ...(row.url === undefined ? {} : { url: row.url }),
  };
}

export const taskShape = shape(taskFields, toTask);

export const taskRowShape = shape(
  () => ({ ...taskFields(), column_name: text, nb_comments: int, nb_files: int }),
  (row): TaskRow => ({
    ...toTask(row),
    columnName: row.column_name,
    commentCount: row.nb_comments,
    fileCount: row.nb_files,
  }),
);

export const commentShape = shape(
  () => ({
    id: id<CommentId>(),
    task_id: id<TaskId>(),
    user_id: idOrNull<UserId>(),
    username: textOrNull,
    comment: text,
    date_creation: int,
  }),
  (row): Comment => ({
    id: row.id,
    taskId: row.task_id,
    userId: row.user_id,
    username: row.username,
    text: row.comment,
    dateCreation: row.date_creation,
  }),
);

export const tagShape = shape(
  () => ({ id: id<TagId>(), name: text, color_id: textOrNull, project_id: id<ProjectId>() }),
  (row): Tag => ({
    id: row.id,
    name: row.name,
    color: row.color_id,
    projectId: row.project_id,
  }),
);

export const columnShape = shape(
  () => ({ id: id<ColumnId>(), project_id: id<ProjectId>(), title: text, position: int }),
  (row): Column => ({
    id: row.id,
    projectId: row.project_id,
    title: row.title,
    position: row.position,
  }),
);

export const swimlaneShape = shape(
  () => ({
    id: id<SwimlaneId>(),
    project_id: id<ProjectId>(),
    name: text,
    position: int,
    is_active: bool,
  }),
  (row): Swimlane => ({
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    position: row.position,
    isActive: row.is_active,
  }),
);

export const userShape = shape(
  () => ({
    id: id<UserId>(),
    username: text,
    name: text,
    is_active: z.optional(bool),
    role: z.enum(["app-admin", "app-manager", "app-user"]),
    timezone: textOrNull,
  }),
  (row): User => ({
    id: row.id,
    username: row.username,
    name: row.name,
    // getMe answers the session's user, which has no such field: who is disabled can't ask.
    isActive: row.is_active ?? true,
    role: row.role,
    timezone: row.timezone,
  }),
);

export const membersShape = () =>
  z.pipe(
    map,
    z.transform((names): Member[] =>
      Object.entries(names).map(([user, name]) => ({ id: Number(user) as UserId, name })),
    ),
  );

export const projectShape = shape(
  () => ({
    id: id<ProjectId>(),
    name: text,
    is_active: bool,
    owner_id: idOrNull<UserId>(),
    last_modified: int,
    description: text,
    identifier: text,
  }),
  (row): Project => ({
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    ownerId: row.owner_id,
    lastModified: row.last_modified,
    description: row.description,
    identifier: row.identifier,
  }),
);

export const fileShape = shape(
  () => ({
    id: id<FileId>(),
    task_id: id<TaskId>(),
    name: text,
    size: int,
    user_id: idOrNull<UserId>(),
    username: textOrNull,
    date: int,
  }),
  (row): TaskFile => ({
    id: row.id,
    taskId: row.task_id,
    name: row.name,
    size: row.size,
    userId: row.user_id,
    username: row.username,
    date: row.date,
  }),
);

export const linkShape = shape(
  () => ({
    id: int,
    label: text,
    link_id: z.optional(int),
    task_id: id<TaskId>(),
    title: text,
    is_active: bool,
    project_id: id<ProjectId>(),
  }),
  (row): TaskLink => ({
    id: row.id,
    label: row.label,
    ...(row.link_id ? { linkId: row.link_id } : {}),
    taskId: row.task_id,
    title: row.title,
    isActive: row.is_active,
    projectId: row.project_id,
  }),
);

export const activityShape = shape(
  () => ({
    id: int,
    date_creation: int,
    event_name: text,
    creator_id: idOrNull<UserId>(),
    author_username: textOrNull,
    task_id: idOrNull<TaskId>(),
  }),
  (row): Activity => ({
    id: row.id,
    date: row.date_creation,
    event: row.event_name,
    authorId: row.creator_id,
    authorUsername: row.author_username,
    taskId: row.task_id,
  }),
);

export const actionShape = shape(
  () => ({
    id: int,
    project_id: id<ProjectId>(),
    event_name: text,
    action_name: text,
    params: map,
  }),
  (row): Action => ({
    id: row.id,
    projectId: row.project_id,
    event: row.event_name,
    name: row.action_name,
    params: row.params,
  }),
);
