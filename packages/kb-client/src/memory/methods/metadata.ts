// Metadata of the in-memory board: an upsert by name.
import { type Call, needRole } from "../board.ts";
import { fits, phpError } from "../faults.ts";
import { type Args, method, type Methods, num, REQUIRED, str } from "../method.ts";
import { projectOf } from "./task-rows.ts";

const MAX_NAME = 50;
const MAX_VALUE = 255;

function save(store: Map<number, Map<string, string>>, id: number, values: unknown): boolean {
  if (values === null || typeof values !== "object") return phpError();
  const entries = Object.entries(values);
  for (const [name, value] of entries) {
    fits(name, MAX_NAME);
    fits(value, MAX_VALUE);
  }
  const stored = store.get(id) ?? new Map<string, string>();
  for (const [name, value] of entries) stored.set(name, str(value));
  store.set(id, stored);
  return true;
}

function sorted(values: Map<string, string> | undefined): Record<string, string> {
  return Object.fromEntries([...(values ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function taskOf(call: Call, args: Args, role: "project-viewer" | "project-member"): number | null {
  const task = call.board.tasks.get(num(args["task_id"]));
  needRole(call, task?.project_id, role);
  return task?.id ?? null;
}

export const metadataMethods: Methods = {
  getTaskMetadata: method({ task_id: REQUIRED }, (call, args) => {
    taskOf(call, args, "project-viewer");
    return sorted(call.board.taskMetadata.get(num(args["task_id"])));
  }),
  saveTaskMetadata: method({ task_id: REQUIRED, values: REQUIRED }, (call, args) => {
    const id = taskOf(call, args, "project-member");
    // The foreign key refuses the row.
    if (id === null) return Object.keys(args["values"] ?? {}).length === 0;
    return save(call.board.taskMetadata, id, args["values"]);
  }),
  removeTaskMetadata: method({ task_id: REQUIRED, name: REQUIRED }, (call, args) => {
    const id = taskOf(call, args, "project-member");
    return call.board.taskMetadata.get(id ?? 0)?.delete(str(args["name"])) ?? false;
  }),
  getProjectMetadata: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    return sorted(call.board.projectMetadata.get(projectOf(args)));
  }),
  saveProjectMetadata: method({ project_id: REQUIRED, values: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-member");
    if (!call.board.projects.get(projectOf(args))) return false;
    return save(call.board.projectMetadata, projectOf(args), args["values"]);
  }),
};
