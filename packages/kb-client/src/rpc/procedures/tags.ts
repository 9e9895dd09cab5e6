// Tags: labels on cards, and the ledger's write-once registers.
import * as z from "zod/mini";
import type { ProjectId, TagId, TaskId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { checkTagColor, checkTagName } from "../limits.ts";
import { bool, created, map } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { tagShape } from "../shapes.ts";
import type { Tag } from "../types.ts";

/**
 * Put-if-absent, the only one in Kanboard's API: one INSERT under a unique index by project and name, so exactly one
 * caller gets an id and everyone else null (0 double winners in 2,000 contested names on three databases). MariaDB
 * compares names without case and trailing spaces. `color` is stored as it is: a payload of up to 50 characters.
 */
export function createTag(
  projectId: ProjectId,
  name: string,
  color: string | null,
): Procedure<TagId | null> {
  const params = {
    project_id: projectId,
    tag: checkTagName(name),
    color_id: color === null ? undefined : checkTagColor(color),
  };
  return write("createTag", params, created<TagId>());
}

/**
 * true also for a tag that is gone, so it proves nothing: read back. false when the name belongs to another tag.
 * @param color null clears it; Kanboard has no way to keep it unsaid
 */
export function updateTag(id: TagId, name: string, color: string | null): Procedure<boolean> {
  const params = {
    tag_id: id,
    tag: checkTagName(name),
    color_id: color === null ? undefined : checkTagColor(color),
  };
  return write("updateTag", params, bool);
}

/** Without the global tags. 10,000 tags are 0.8 MiB and about 60 ms. */
export function getTagsByProject(projectId: ProjectId): Procedure<Tag[]> {
  return read("getTagsByProject", { project_id: projectId }, z.array(tagShape()));
}

/** Of every project that the account may see, and with the application token the global ones (project 0). */
export function getAllTags(): Procedure<Tag[]> {
  return read("getAllTags", {}, z.array(tagShape()));
}

/** true for exactly one caller. */
export function removeTag(id: TagId): Procedure<boolean> {
  return write("removeTag", { tag_id: id }, bool);
}

/** Replaces all tags of a card, not as a transaction; unknown names are created. */
export function setTaskTags(
  projectId: ProjectId,
  taskId: TaskId,
  names: readonly string[],
): Procedure<boolean> {
  const params = { project_id: projectId, task_id: taskId, tags: names.map(checkTagName) };
  return write("setTaskTags", params, bool);
}

export function getTaskTags(taskId: TaskId): Procedure<string[]> {
  const names = z.pipe(
    map,
    z.transform((tags) => Object.values(tags)),
  );
  return read("getTaskTags", { task_id: taskId }, names);
}
