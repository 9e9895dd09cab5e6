// Links between cards. The ids are those of a fresh installation; the catalogue itself is for administrators.
import * as z from "zod/mini";
import type { TaskId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { created } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { linkShape } from "../shapes.ts";
import type { TaskLink } from "../types.ts";

export const LINK = {
  relatesTo: 1,
  blocks: 2,
  isBlockedBy: 3,
  isChildOf: 6,
  isParentOf: 7,
} as const;

/** Makes both directions; null when it exists. On SQLite about a third of concurrent calls fail as locked. */
export function createTaskLink(
  taskId: TaskId,
  oppositeId: TaskId,
  linkId: number,
): Procedure<number | null> {
  const params = { task_id: taskId, opposite_task_id: oppositeId, link_id: linkId };
  return write("createTaskLink", params, created<number>());
}

export function getAllTaskLinks(taskId: TaskId): Procedure<TaskLink[]> {
  return read("getAllTaskLinks", { task_id: taskId }, z.array(linkShape()));
}
