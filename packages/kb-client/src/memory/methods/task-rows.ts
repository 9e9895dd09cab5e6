// Cards as the API shows them, and what hangs on a card.
import type { Board } from "../board.ts";
import { type Args, num } from "../method.ts";
import type { TaskRow } from "../rows.ts";

export function projectOf(args: Args): number {
  return num(args["project_id"]);
}

/** "7" is an integer for Kanboard's validator, "x" and 1.5 are not; nothing is. */
export function isInteger(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return (typeof value === "string" || typeof value === "number") && /^-?\d+$/.test(`${value}`);
}

export function taskApi(task: TaskRow): Record<string, unknown> {
  return {
    ...task,
    url: `http://localhost/?controller=TaskViewController&action=show&task_id=${task.id}`,
  };
}

/** Rows of a search: no tags, no address, counts and names besides. */
export function taskSearch(board: Board, task: TaskRow): Record<string, unknown> {
  const owner = board.users.get(task.owner_id);
  const column = board.columns.get(task.column_id);
  return {
    ...task,
    nb_comments: board.comments.where((row) => row.task_id === task.id).length,
    nb_files: board.files.where((row) => row.task_id === task.id).length,
    assignee_username: owner?.username ?? null,
    assignee_name: owner?.name ?? null,
    column_name: column?.title ?? null,
    column_position: column?.position ?? null,
    swimlane_name: board.swimlanes.get(task.swimlane_id)?.name ?? null,
    project_name: board.projects.get(task.project_id)?.name ?? null,
  };
}

/** With comments, files, metadata, links and its part of the activity, as the foreign keys do. */
export function removeTaskWithAll(board: Board, id: number): boolean {
  for (const row of board.comments.where((row) => row.task_id === id))
    board.comments.remove(row.id);
  for (const row of board.files.where((row) => row.task_id === id)) board.files.remove(row.id);
  for (const row of board.activity.where((row) => row.task_id === id))
    board.activity.remove(row.id);
  for (const row of board.links.all()) {
    if (row.task_id === id || row.opposite_task_id === id) board.links.remove(row.id);
  }
  board.taskMetadata.delete(id);
  board.taskTags.delete(id);
  return board.tasks.remove(id);
}
