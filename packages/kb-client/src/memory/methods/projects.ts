// Projects of the in-memory board and their activity.
import { type Call, callerId, needAdmin, needRole, needUser } from "../board.ts";
import { forbidden } from "../faults.ts";
import { type Args, method, type Methods, num, REQUIRED, str } from "../method.ts";
import { removeTaskWithAll, projectOf } from "./task-rows.ts";

const COLUMNS = ["Backlog", "Ready", "Work in progress", "Done"];
const ACTIVITY_LIMIT = 50;

function createProject(call: Call, args: Args): unknown {
  const { board, caller, now } = call;
  if (caller.kind === "user" && caller.user.role === "app-user") return forbidden();
  const owner = num(args["owner_id"]) || callerId(call);
  const identifier = str(args["identifier"]).toUpperCase();
  const taken = identifier !== "" && board.projects.find((row) => row.identifier === identifier);
  const valid = str(args["name"]) !== "" && /^[A-Z0-9]*$/.test(identifier);
  if (!valid || taken || (owner !== 0 && !board.users.get(owner))) return false;
  const project = board.projects.insert({
    name: str(args["name"]),
    is_active: 1,
    last_modified: now,
    description: args["description"] === null ? null : str(args["description"]),
    identifier,
    owner_id: owner,
    priority_start: 0,
    priority_end: 3,
    priority_default: 0,
  });
  for (const [i, title] of COLUMNS.entries()) {
    const row = { title, position: i + 1, project_id: project.id, task_limit: 0, description: "" };
    board.columns.insert(row);
  }
  board.swimlanes.insert({
    name: "Default swimlane",
    position: 1,
    is_active: 1,
    project_id: project.id,
    description: "",
  });
  if (caller.kind === "user" && owner !== 0) {
    board.roles.set(project.id, new Map([[owner, "project-manager"]]));
  }
  return project.id;
}

function setActive(call: Call, args: Args, active: boolean): boolean {
  needRole(call, projectOf(args), "project-manager");
  const project = call.board.projects.get(projectOf(args));
  if (!project) return false;
  project.is_active = active ? 1 : 0;
  return true;
}

function removeProject(call: Call, args: Args): boolean {
  const { board } = call;
  const id = projectOf(args);
  needRole(call, id, "project-manager");
  if (!board.projects.get(id)) return false;
  for (const task of board.tasks.where((row) => row.project_id === id))
    removeTaskWithAll(board, task.id);
  for (const row of board.columns.where((row) => row.project_id === id))
    board.columns.remove(row.id);
  for (const row of board.swimlanes.where((row) => row.project_id === id))
    board.swimlanes.remove(row.id);
  board.projectMetadata.delete(id);
  board.roles.delete(id);
  // Tags stay: their project has no foreign key.
  return board.projects.remove(id);
}

export const projectMethods: Methods = {
  createProject: method(
    { name: REQUIRED, description: null, owner_id: 0, identifier: null },
    createProject,
  ),
  getProjectById: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    const project = call.board.projects.get(projectOf(args));
    return project ? { ...project } : null;
  }),
  getAllProjects: method({}, (call) => {
    needAdmin(call);
    return call.board.projects.all().map((project) => ({ ...project }));
  }),
  getMyProjects: method({}, (call) => {
    const user = needUser(call);
    return call.board.projects
      .where((row) => row.is_active === 1 && call.board.roleOf(row.id, user.id) !== undefined)
      .map((project) => ({ ...project }));
  }),
  enableProject: method({ project_id: REQUIRED }, (call, args) => setActive(call, args, true)),
  disableProject: method({ project_id: REQUIRED }, (call, args) => setActive(call, args, false)),
  removeProject: method({ project_id: REQUIRED }, removeProject),
  updateProject: method(
    { project_id: REQUIRED, name: null, description: null, owner_id: null, identifier: null },
    (call, args) => {
      needRole(call, projectOf(args), "project-manager");
      const project = call.board.projects.get(projectOf(args));
      if (args["name"] === "") return false;
      if (!project) return true;
      project.name = args["name"] === null ? project.name : str(args["name"]);
      project.owner_id = args["owner_id"] === null ? project.owner_id : num(args["owner_id"]);
      if (args["description"] !== null) project.description = str(args["description"]);
      if (args["identifier"] !== null) project.identifier = str(args["identifier"]).toUpperCase();
      return true;
    },
  ),
  getActions: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-manager");
    return [];
  }),
  getProjectActivity: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    return call.board.activity
      .where((entry) => entry.project_id === projectOf(args))
      .sort((a, b) => b.id - a.id)
      .slice(0, ACTIVITY_LIMIT)
      .map((entry) => {
        const author = call.board.users.get(entry.creator_id);
        return { ...entry, author_username: author?.username ?? null };
      });
  }),
};
