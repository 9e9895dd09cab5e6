// Tags of the in-memory board; the unique index is what the ledger stands on.
import { type Board, type Call, needRole } from "../board.ts";
import { fits, phpError } from "../faults.ts";
import { method, type Methods, num, REQUIRED, str } from "../method.ts";
import type { TagRow } from "../rows.ts";
import { projectOf } from "./task-rows.ts";

const MAX_NAME = 191;
const MAX_COLOR = 50;

function create(board: Board, projectId: number, name: string, color: unknown): TagRow | null {
  fits(name, MAX_NAME);
  fits(color, MAX_COLOR);
  if (board.tagNamed(projectId, name)) return null;
  const colorId = color === null || color === undefined ? null : str(color);
  return board.tags.insert({ name, project_id: projectId, color_id: colorId });
}

/** A global tag of the name wins over one of the project. */
function findOrCreate(board: Board, projectId: number, name: string): TagRow | null {
  const known = board.tagNamed(0, name) ?? board.tagNamed(projectId, name);
  return known ?? create(board, projectId, name, null);
}

/**
 * Replaces the card's tags, step by step and no transaction: a name given twice, or a card that is gone, ends it with
 * what was done so far. Names are found without case and kept by case, so "blocked" on a card that has "Blocked" takes
 * that off.
 */
export function saveTags(call: Call, projectId: number, taskId: number, names: string[]): boolean {
  const { board } = call;
  // "0" is empty for PHP.
  const wanted = names.filter((name) => name !== "" && name !== "0");
  const before = board.tagsOf(taskId);
  const attached = board.taskTags.get(taskId) ?? new Set<number>();
  for (const name of wanted) {
    const tag = findOrCreate(board, projectId, name);
    if (before.some((known) => known.id === tag?.id)) continue;
    if (!tag || !board.tasks.get(taskId) || attached.has(tag.id)) return false;
    attached.add(tag.id);
    board.taskTags.set(taskId, attached);
  }
  for (const tag of before) if (!wanted.includes(tag.name)) attached.delete(tag.id);
  return true;
}

/** Tags of the old project become tags of the same name in the new one. */
export function followToProject(board: Board, taskId: number, projectId: number): void {
  const followed = board.tagsOf(taskId).map((tag) => {
    if (tag.project_id === 0 || tag.project_id === projectId) return tag.id;
    const own = board.tagNamed(0, tag.name) ?? board.tagNamed(projectId, tag.name);
    return (own ?? create(board, projectId, tag.name, tag.color_id))?.id ?? tag.id;
  });
  board.taskTags.set(taskId, new Set(followed));
}

function byName(a: TagRow, b: TagRow): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

export const tagMethods: Methods = {
  createTag: method({ project_id: REQUIRED, tag: REQUIRED, color_id: null }, (call, args) => {
    needRole(call, projectOf(args), "project-member");
    return create(call.board, projectOf(args), str(args["tag"]), args["color_id"])?.id ?? false;
  }),
  updateTag: method({ tag_id: REQUIRED, tag: REQUIRED, color_id: null }, (call, args) => {
    const tag = call.board.tags.get(num(args["tag_id"]));
    // Without the tag there is no project to check a role in, and an update of no row is a success.
    if (!tag) return true;
    needRole(call, tag.project_id, "project-member");
    fits(args["tag"], MAX_NAME);
    fits(args["color_id"], MAX_COLOR);
    const other = call.board.tagNamed(tag.project_id, str(args["tag"]));
    if (other && other.id !== tag.id) return false;
    tag.name = str(args["tag"]);
    tag.color_id = args["color_id"] === null ? null : str(args["color_id"]);
    return true;
  }),
  removeTag: method({ tag_id: REQUIRED }, (call, args) => {
    const tag = call.board.tags.get(num(args["tag_id"]));
    if (!tag) return false;
    needRole(call, tag.project_id, "project-member");
    for (const attached of call.board.taskTags.values()) attached.delete(tag.id);
    return call.board.tags.remove(tag.id);
  }),
  getTagsByProject: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    return call.board.tags
      .where((tag) => tag.project_id === projectOf(args))
      .sort(byName)
      .map((tag) => ({ ...tag }));
  }),
  getAllTags: method({}, ({ board, caller }) => {
    const visible = (tag: TagRow): boolean => {
      if (caller.kind === "app" || caller.user.role === "app-admin" || tag.project_id === 0)
        return true;
      const isActive = board.projects.get(tag.project_id)?.is_active === 1;
      return isActive && board.roleOf(tag.project_id, caller.user.id) !== undefined;
    };
    return board.tags
      .where(visible)
      .sort(byName)
      .map((tag) => ({ ...tag }));
  }),
  setTaskTags: method({ project_id: REQUIRED, task_id: REQUIRED, tags: REQUIRED }, (call, args) => {
    if (!Array.isArray(args["tags"])) return phpError();
    const taskId = num(args["task_id"]);
    needRole(call, projectOf(args), "project-member");
    needRole(call, call.board.tasks.get(taskId)?.project_id, "project-member");
    return saveTags(call, projectOf(args), taskId, args["tags"].map(str));
  }),
  getTaskTags: method({ task_id: REQUIRED }, (call, args) => {
    const taskId = num(args["task_id"]);
    needRole(call, call.board.tasks.get(taskId)?.project_id, "project-viewer");
    return Object.fromEntries(call.board.tagsOf(taskId).map((tag) => [tag.id, tag.name]));
  }),
};
