// Cards: read, search, create, change, close.
import * as z from "zod/mini";
import type { ColumnId, ProjectId, SwimlaneId, TaskId, UserId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { checkReference, checkTagName, checkTitle, cleanText } from "../limits.ts";
import { bool, created, orNull } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { taskRowShape, taskShape } from "../shapes.ts";
import type { Task, TaskRow } from "../types.ts";

/** null when it does not exist; with a user's token Kanboard answers 403 (`KB_FORBIDDEN`) instead. */
export function getTask(taskId: TaskId): Procedure<Task | null> {
  return read("getTask", { task_id: taskId }, orNull(taskShape()));
}

/**
 * @param query Kanboard's search language, such as `status:open column:4 assignee:nobody`; an unknown attribute is
 *   ignored and everything is returned. No order and no limit: sort on this side.
 */
export function searchTasks(projectId: ProjectId, query: string): Procedure<TaskRow[]> {
  return read("searchTasks", { project_id: projectId, query }, z.array(taskRowShape()));
}

/** Any one of them when several cards carry the same reference. */
export function getTaskByReference(
  projectId: ProjectId,
  reference: string,
): Procedure<Task | null> {
  return read("getTaskByReference", { project_id: projectId, reference }, orNull(taskShape()));
}

/** All open or all closed cards, by id. 1.2 KB each: 20,000 of them are an empty 500 at PHP's default memory. */
export function getAllTasks(projectId: ProjectId, active: boolean): Procedure<Task[]> {
  const params = { project_id: projectId, status_id: active ? 1 : 0 };
  return read("getAllTasks", params, z.array(taskShape()));
}

export interface NewTask {
  projectId: ProjectId;
  title: string;
  /** The first column when left out. */
  columnId?: ColumnId | undefined;
  swimlaneId?: SwimlaneId | undefined;
  description?: string | undefined;
  ownerId?: UserId | undefined;
  /** The application token may set it to any assignable member; with a user's token it is that user. */
  creatorId?: UserId | undefined;
  score?: number | undefined;
  priority?: number | undefined;
  /**
   * "YYYY-MM-DD HH:MM". With a user's token the first call of a request is read in the application's zone, later ones
   * in the account's: see `setDueDate`.
   */
  dateDue?: string | undefined;
  reference?: string | undefined;
  /** Create new tags before: of a tag that several new cards bring along at once, 1 to 3 % of them lose it. */
  tags?: readonly string[] | undefined;
  colorId?: string | undefined;
}

/**
 * null when Kanboard refused (an owner who is not assignable, an unknown column, a date in another form). Columns of
 * another project are accepted by Kanboard and hide the card: take the id from `getColumns` of the same project.
 */
export function createTask(task: NewTask): Procedure<TaskId | null> {
  const params = {
    title: checkTitle(task.title),
    project_id: task.projectId,
    column_id: task.columnId,
    swimlane_id: task.swimlaneId,
    description: task.description === undefined ? undefined : cleanText(task.description),
    owner_id: task.ownerId,
    creator_id: task.creatorId,
    score: task.score,
    priority: task.priority,
    date_due: task.dateDue,
    reference: task.reference === undefined ? undefined : checkReference(task.reference),
    tags: task.tags?.map(checkTagName),
    color_id: task.colorId,
  };
  return write("createTask", params, created<TaskId>());
}

export interface TaskPatch {
  title?: string | undefined;
  description?: string | undefined;
  /** null takes the owner off. */
  ownerId?: UserId | null | undefined;
  score?: number | undefined;
  priority?: number | undefined;
  /** "YYYY-MM-DD HH:MM", see `setDueDate`; null clears it. */
  dateDue?: string | null | undefined;
  reference?: string | undefined;
  /** Replaces all tags. */
  tags?: readonly string[] | undefined;
  colorId?: string | undefined;
}

/** Blind: the last writer wins. Column, swimlane and position can't be changed by it. */
export function updateTask(taskId: TaskId, patch: TaskPatch): Procedure<boolean> {
  const params = {
    id: taskId,
    title: patch.title === undefined ? undefined : checkTitle(patch.title),
    description: patch.description === undefined ? undefined : cleanText(patch.description),
    owner_id: patch.ownerId === null ? 0 : patch.ownerId,
    score: patch.score,
    priority: patch.priority,
    date_due: patch.dateDue === null ? "" : patch.dateDue,
    reference: patch.reference === undefined ? undefined : checkReference(patch.reference),
    tags: patch.tags?.map(checkTagName),
    color_id: patch.colorId,
  };
  return write("updateTask", params, bool);
}

/** true also when it was closed already; a card keeps its column. */
export function closeTask(taskId: TaskId): Procedure<boolean> {
  return write("closeTask", { task_id: taskId }, bool);
}

/** true also when it was open already. */
export function openTask(taskId: TaskId): Procedure<boolean> {
  return write("openTask", { task_id: taskId }, bool);
}

/** true for exactly one caller. On SQLite the id of a removed newest card is given to the next one. */
export function removeTask(taskId: TaskId): Procedure<boolean> {
  return write("removeTask", { task_id: taskId }, bool);
}
