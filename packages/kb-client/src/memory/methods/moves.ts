// Moving cards on the in-memory board, in both of Kanboard's ways.
import { type Board, type Call, needRole, record, touchProject } from "../board.ts";
import { phpError } from "../faults.ts";
import { type Args, method, type Methods, num, REQUIRED } from "../method.ts";
import type { TaskRow } from "../rows.ts";
import { followToProject } from "./tags.ts";

/** One row changes: reopened, at the bottom, `date_moved` and `date_modification` as they were; always true. */
function moveTaskToProject(call: Call, args: Args): boolean {
  const { board } = call;
  const task = board.tasks.get(num(args["task_id"]));
  const projectId = num(args["project_id"]);
  needRole(call, task?.project_id, "project-member");
  needRole(call, projectId, "project-member");
  // Kanboard hands the missing row to a function that wants an array.
  if (!task) return phpError();
  const asked = args["column_id"] === null ? task.column_id : num(args["column_id"]);
  const position = board.openIn(projectId, asked).length + 1;
  const owner = args["owner_id"] === null ? task.owner_id : num(args["owner_id"]);
  followToProject(board, task.id, projectId);
  const lane = args["swimlane_id"] === null ? task.swimlane_id : num(args["swimlane_id"]);
  const project = board.projects.get(projectId);
  if (!project) return phpError();
  const inRange = task.priority >= project.priority_start && task.priority <= project.priority_end;
  task.project_id = projectId;
  task.column_id = byTitle(board.columnsOf(projectId), board.columns.get(asked)?.title);
  task.swimlane_id = byName(board, projectId, board.swimlanes.get(lane)?.name);
  task.owner_id = owner !== 0 && board.isMember(projectId, owner) ? owner : 0;
  task.priority = inRange ? task.priority : project.priority_default;
  task.position = position;
  task.is_active = 1;
  record(call, "task.move.project", task);
  touchProject(call, projectId);
  return true;
}

function byTitle(columns: { id: number; title: string }[], title: string | undefined): number {
  return (columns.find((column) => column.title === title) ?? columns[0])?.id ?? 0;
}

function byName(board: Board, projectId: number, name: string | undefined): number {
  const lanes = board.swimlanesOf(projectId);
  return (lanes.find((lane) => lane.name === name) ?? lanes[0])?.id ?? 0;
}

/** Rewrites position, column and swimlane of every open card of both columns; sets the times of the moved one. */
function moveTaskPosition(call: Call, args: Args): boolean {
  const { board, now } = call;
  const task = board.tasks.get(num(args["task_id"]));
  const projectId = num(args["project_id"]);
  needRole(call, task?.project_id, "project-member");
  if (task?.project_id !== projectId) return false;
  const column = num(args["column_id"]);
  const position = num(args["position"]);
  const lane = num(args["swimlane_id"]) || task.swimlane_id;
  const from = { column: task.column_id, lane: task.swimlane_id };
  const crosses = from.column !== column || from.lane !== lane;
  if (position < 1 || (!crosses && task.position === position)) return false;
  if (!board.columns.get(column) || !board.swimlanes.get(lane)) return false;
  if (crosses) rewrite(board, task, from.column, from.lane, 0);
  rewrite(board, task, column, lane, position);
  if (crosses) {
    task.date_moved = now;
    task.date_modification = now;
  }
  if (from.lane !== lane) record(call, "task.move.swimlane", task);
  if (from.column !== column) record(call, "task.move.column", task);
  if (!crosses) record(call, "task.move.position", task);
  touchProject(call, projectId);
  return true;
}

/** @param position 0 leaves the moved card out: its old column closes the gap */
function rewrite(
  board: Board,
  moved: TaskRow,
  column: number,
  lane: number,
  position: number,
): void {
  const others = board
    .openIn(moved.project_id, column, lane)
    .filter((task) => task.id !== moved.id);
  if (position > 0) others.splice(position - 1, 0, moved);
  for (const [i, task] of others.entries()) {
    task.position = i + 1;
    task.column_id = column;
    task.swimlane_id = lane;
  }
}

export const moveMethods: Methods = {
  moveTaskToProject: method(
    {
      task_id: REQUIRED,
      project_id: REQUIRED,
      swimlane_id: null,
      column_id: null,
      category_id: null,
      owner_id: null,
    },
    moveTaskToProject,
  ),
  moveTaskPosition: method(
    {
      project_id: REQUIRED,
      task_id: REQUIRED,
      column_id: REQUIRED,
      position: REQUIRED,
      swimlane_id: REQUIRED,
    },
    moveTaskPosition,
  ),
};
