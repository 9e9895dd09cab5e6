// The shapes of the board as the rest of the program sees them, whatever the database underneath answered.
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

export interface Task {
  id: TaskId;
  projectId: ProjectId;
  title: string;
  /** Markdown; "" when the card has none. */
  description: string;
  columnId: ColumnId;
  swimlaneId: SwimlaneId;
  /** null when nobody is assigned. */
  ownerId: UserId | null;
  /** null when the card was made with the application token. */
  creatorId: UserId | null;
  isActive: boolean;
  /** Epoch seconds. */
  dateCreation: number;
  /** Epoch seconds; set by a drag across columns, not by `moveWithinProject`. */
  dateMoved: number;
  /** Epoch seconds; not touched by comments, tags, metadata, files and `moveWithinProject`. */
  dateModification: number;
  /** Epoch seconds of the close, 0 when not closed. */
  dateCompleted: number;
  /** Epoch seconds. */
  dateDue: number | null;
  score: number;
  priority: number;
  /** From 1 at the top of the column; closed cards keep theirs and may collide. */
  position: number;
  /** "" when the card has none; at most 191 characters, not unique. */
  reference: string;
  recurrenceStatus: number;
  /** The card's page; not in search results. */
  url?: string;
}

/** A search result: rows carry no tags, no metadata and no `url`. */
export interface TaskRow extends Task {
  columnName: string;
  commentCount: number;
  fileCount: number;
}

export interface Comment {
  id: CommentId;
  taskId: TaskId;
  /** null for comments written with the application token. */
  userId: UserId | null;
  username: string | null;
  /** Markdown. */
  text: string;
  /** Epoch seconds. */
  dateCreation: number;
}

export interface Tag {
  id: TagId;
  name: string;
  /** A colour name, or whatever `createTag` was given: Kanboard does not check it. */
  color: string | null;
  /** 0 for a global tag. */
  projectId: ProjectId;
}

export interface Column {
  id: ColumnId;
  projectId: ProjectId;
  title: string;
  /** From 1 at the left. */
  position: number;
}

export interface Swimlane {
  id: SwimlaneId;
  projectId: ProjectId;
  name: string;
  position: number;
  isActive: boolean;
}

/** Password hash, tokens and two-factor secret, which Kanboard sends to administrators, are dropped. */
export interface User {
  id: UserId;
  username: string;
  /** Full name; "" when not set. */
  name: string;
  isActive: boolean;
  role: "app-admin" | "app-manager" | "app-user";
  /** IANA name; null when the account uses the application's. */
  timezone: string | null;
}

/** As in lists of members: the full name, or the user name where there is none. */
export interface Member {
  id: UserId;
  name: string;
}

export type ProjectRole = "project-manager" | "project-member" | "project-viewer";

export interface Project {
  id: ProjectId;
  name: string;
  isActive: boolean;
  ownerId: UserId | null;
  /** Epoch seconds; moves with tasks and subtasks, not with comments, tags, metadata or files. */
  lastModified: number;
  description: string;
  identifier: string;
}

export interface TaskFile {
  id: FileId;
  taskId: TaskId;
  name: string;
  /** Bytes. */
  size: number;
  userId: UserId | null;
  username: string | null;
  /** Epoch seconds. */
  date: number;
}

export interface TaskLink {
  id: number;
  /** The link's wording seen from this task, such as "is a child of". */
  label: string;
  linkId?: number;
  /** The task at the other end. */
  taskId: TaskId;
  title: string;
  isActive: boolean;
  projectId: ProjectId;
}

export interface Activity {
  id: number;
  /** Epoch seconds. */
  date: number;
  /** Such as `task.move.column`. */
  event: string;
  authorId: UserId | null;
  authorUsername: string | null;
  taskId: TaskId | null;
}

export interface Action {
  id: number;
  projectId: ProjectId;
  event: string;
  /** Class of the automatic action, such as `\Kanboard\Action\TaskClose`. */
  name: string;
  params: Record<string, string>;
}
