// Projects, their automatic actions and their activity.
import * as z from "zod/mini";
import type { ProjectId, UserId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { bool, created, orNull } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { actionShape, activityShape, projectShape } from "../shapes.ts";
import type { Action, Activity, Project } from "../types.ts";

/** Names are not unique. With a user's token (manager and up) that user owns it. */
export function createProject(project: {
  name: string;
  ownerId?: UserId | undefined;
  /** Short upper-case code, unique. */
  identifier?: string | undefined;
  description?: string | undefined;
}): Procedure<ProjectId | null> {
  const { name, ownerId, identifier, description } = project;
  const params = { name, owner_id: ownerId, identifier, description };
  return write("createProject", params, created<ProjectId>());
}

/** null when it does not exist; with a user's token `KB_FORBIDDEN`. */
export function getProjectById(projectId: ProjectId): Procedure<Project | null> {
  return read("getProjectById", { project_id: projectId }, orNull(projectShape()));
}

/** Administrators and the application token only. */
export function getAllProjects(): Procedure<Project[]> {
  return read("getAllProjects", {}, z.array(projectShape()));
}

/** Active projects of the account; the application token answers `KB_FORBIDDEN`. */
export function getMyProjects(): Procedure<Project[]> {
  return read("getMyProjects", {}, z.array(projectShape()));
}

/** People no longer see it; its tags, cards and comments can still be read and written by id. */
export function disableProject(projectId: ProjectId): Procedure<boolean> {
  return write("disableProject", { project_id: projectId }, bool);
}

export function enableProject(projectId: ProjectId): Procedure<boolean> {
  return write("enableProject", { project_id: projectId }, bool);
}

/** With everything in it. */
export function removeProject(projectId: ProjectId): Procedure<boolean> {
  return write("removeProject", { project_id: projectId }, bool);
}

export function updateProject(
  projectId: ProjectId,
  patch: {
    name?: string | undefined;
    description?: string | undefined;
    ownerId?: UserId | undefined;
    identifier?: string | undefined;
  },
): Procedure<boolean> {
  const { name, description, ownerId, identifier } = patch;
  const params = { project_id: projectId, name, description, owner_id: ownerId, identifier };
  return write("updateProject", params, bool);
}

/** Automatic actions. Needs a project manager. */
export function getActions(projectId: ProjectId): Procedure<Action[]> {
  return read("getActions", { project_id: projectId }, z.array(actionShape()));
}

/**
 * The last 50 entries, newest first, about 2 KB each. What the application token does is not recorded, and neither
 * are tags and metadata.
 */
export function getProjectActivity(projectId: ProjectId): Procedure<Activity[]> {
  return read("getProjectActivity", { project_id: projectId }, z.array(activityShape()));
}
