// Columns and swimlanes of a project.
import * as z from "zod/mini";
import type { ColumnId, ProjectId } from "../../ids.ts";
import { read, write } from "../define.ts";
import { bool, created } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import { columnShape, swimlaneShape } from "../shapes.ts";
import type { Column, Swimlane } from "../types.ts";

/** From left to right. */
export function getColumns(projectId: ProjectId): Procedure<Column[]> {
  return read("getColumns", { project_id: projectId }, z.array(columnShape()));
}

/** At the right end; null when the title exists. Needs a project manager. */
export function addColumn(projectId: ProjectId, title: string): Procedure<ColumnId | null> {
  return write("addColumn", { project_id: projectId, title }, created<ColumnId>());
}

/** false while it holds cards, open or closed. Needs a project manager. */
export function removeColumn(columnId: ColumnId): Procedure<boolean> {
  return write("removeColumn", { column_id: columnId }, bool);
}

/** From top to bottom. */
export function getActiveSwimlanes(projectId: ProjectId): Procedure<Swimlane[]> {
  return read("getActiveSwimlanes", { project_id: projectId }, z.array(swimlaneShape()));
}
