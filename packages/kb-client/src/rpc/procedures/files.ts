// Files attached to a card.
import * as z from "zod/mini";
import type { FileId, ProjectId, TaskId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { checkFileName } from "../limits.ts";
import { bool, created, text } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { fileShape } from "../shapes.ts";
import type { TaskFile } from "../types.ts";

/**
 * Attaches text as UTF-8; null when the card is gone or in another project. Names are not unique. Kanboard takes no
 * empty file, and PHP calls "0" empty: both get a line end.
 */
export function createTaskFile(file: {
  projectId: ProjectId;
  taskId: TaskId;
  filename: string;
  content: string;
}): Procedure<FileId | null> {
  const { content } = file;
  const kept = content === "" || content === "0" ? `${content}\n` : content;
  const params = {
    project_id: file.projectId,
    task_id: file.taskId,
    filename: checkFileName(file.filename),
    blob: Buffer.from(kept, "utf8").toString("base64"),
  };
  return write("createTaskFile", params, created<FileId>());
}

export function getAllTaskFiles(taskId: TaskId): Procedure<TaskFile[]> {
  return read("getAllTaskFiles", { task_id: taskId }, z.array(fileShape()));
}

/** The content read as UTF-8; "" also when the stored file is missing on the server's disk. */
export function downloadTaskFile(id: FileId): Procedure<string> {
  const content = z.pipe(
    text,
    z.transform((blob) => Buffer.from(blob, "base64").toString("utf8")),
  );
  return read("downloadTaskFile", { file_id: id }, content);
}

export function removeTaskFile(id: FileId): Procedure<boolean> {
  return write("removeTaskFile", { file_id: id }, bool);
}
