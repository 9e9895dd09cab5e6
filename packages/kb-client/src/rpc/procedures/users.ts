// Accounts and who may work in a project.
import * as z from "zod/mini";
import type { ProjectId, UserId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { bool, created, orNull } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { membersShape, userShape } from "../shapes.ts";
import type { Member, ProjectRole, User } from "../types.ts";

/** The account behind a user's token; the application token answers `KB_FORBIDDEN`. */
export function getMe(): Procedure<User> {
  return read("getMe", {}, userShape());
}

/** Administrators and the application token only, like `getAllUsers` and `createUser`. */
export function getUserByName(username: string): Procedure<User | null> {
  return read("getUserByName", { username }, orNull(userShape()));
}

export function getAllUsers(): Procedure<User[]> {
  return read("getAllUsers", {}, z.array(userShape()));
}

/** null when the name is taken or the password shorter than 6 characters. */
export function createUser(user: {
  username: string;
  password: string;
  name?: string | undefined;
  email?: string | undefined;
  role?: User["role"] | undefined;
}): Procedure<UserId | null> {
  return write("createUser", user, created<UserId>());
}

/** The account's calls answer 401 at once; its cards stay assigned. */
export function disableUser(userId: UserId): Procedure<boolean> {
  return write("disableUser", { user_id: userId }, bool);
}

/** Members and managers that are active: who can own a card. */
export function getAssignableUsers(projectId: ProjectId): Procedure<Member[]> {
  return read("getAssignableUsers", { project_id: projectId }, membersShape());
}

/** Everybody with a role in the project, viewers included. */
export function getProjectUsers(projectId: ProjectId): Procedure<Member[]> {
  return read("getProjectUsers", { project_id: projectId }, membersShape());
}

/** false when they have a role already. Needs a project manager. */
export function addProjectUser(
  projectId: ProjectId,
  userId: UserId,
  role: ProjectRole,
): Procedure<boolean> {
  return write("addProjectUser", { project_id: projectId, user_id: userId, role }, bool);
}
