// Accounts and roles of the in-memory board.
import { type Board, needAdmin, needRole, needUser } from "../board.ts";
import { method, type Methods, num, REQUIRED, str } from "../method.ts";
import type { AppRole, ProjectRole, UserRow } from "../rows.ts";
import { projectOf } from "./task-rows.ts";

const MIN_PASSWORD = 6;
const ROLES = new Set(["app-admin", "app-manager", "app-user"]);

/** Sorted by what is shown: the full name, or the user name where there is none. */
function names(users: UserRow[]): Record<string, string> {
  const entries = users.map((user): [number, string] => [user.id, user.name || user.username]);
  // A JSON object of numeric keys has no other order than theirs on this side.
  return Object.fromEntries(entries);
}

function membersOf(board: Board, projectId: number): UserRow[] {
  return [...(board.roles.get(projectId)?.keys() ?? [])].flatMap((id) => board.users.get(id) ?? []);
}

export const userMethods: Methods = {
  getMe: method({}, (call) => ({ ...needUser(call) })),
  getUserByName: method({ username: REQUIRED }, (call, args) => {
    needAdmin(call);
    const user = call.board.users.find((row) => row.username === str(args["username"]));
    return user ? { ...user } : null;
  }),
  getAllUsers: method({}, (call) => {
    needAdmin(call);
    return call.board.users.all().map((user) => ({ ...user }));
  }),
  createUser: method(
    { username: REQUIRED, password: REQUIRED, name: "", email: "", role: "app-user" },
    (call, args) => {
      needAdmin(call);
      const username = str(args["username"]).trim();
      const taken = call.board.users.find(
        (user) => user.username.toLowerCase() === username.toLowerCase(),
      );
      const password = str(args["password"]);
      const valid = username !== "" && password.length >= MIN_PASSWORD;
      if (taken || !valid || !ROLES.has(str(args["role"]))) return false;
      return call.board.users.insert({
        username,
        password,
        name: str(args["name"]),
        email: str(args["email"]),
        role: str(args["role"]) as AppRole,
        is_active: 1,
        timezone: null,
        api_access_token: null,
      }).id;
    },
  ),
  disableUser: method({ user_id: REQUIRED }, (call, args) => {
    needAdmin(call);
    const user = call.board.users.get(num(args["user_id"]));
    if (user) user.is_active = 0;
    return true;
  }),
  getProjectUsers: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    return names(membersOf(call.board, projectOf(args)));
  }),
  getAssignableUsers: method({ project_id: REQUIRED, prepend_unassigned: false }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    const { board } = call;
    const projectId = projectOf(args);
    return names(
      membersOf(board, projectId).filter((user) => board.isAssignable(projectId, user.id)),
    );
  }),
  addProjectUser: method(
    { project_id: REQUIRED, user_id: REQUIRED, role: "project-member" },
    (call, args) => {
      const { board } = call;
      const projectId = projectOf(args);
      const userId = num(args["user_id"]);
      needRole(call, projectId, "project-manager");
      const isThere = board.roleOf(projectId, userId) !== undefined;
      if (isThere || !board.projects.get(projectId) || !board.users.get(userId)) return false;
      const roles = board.roles.get(projectId) ?? new Map<number, ProjectRole>();
      roles.set(userId, str(args["role"]) as ProjectRole);
      board.roles.set(projectId, roles);
      return true;
    },
  ),
};
