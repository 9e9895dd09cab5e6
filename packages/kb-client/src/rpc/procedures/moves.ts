// Moving cards. Kanboard has two ways; only one of them is safe beside other writers.
import { FabricError } from "../../errors.ts";
import type { ColumnId, ProjectId, SwimlaneId, TaskId, UserId } from "../../ids.ts";
import { write } from "../define.ts";
import { bool } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";
import type { Column } from "../types.ts";

export interface MoveWithinProject {
  taskId: TaskId;
  /** The project in which the card is. */
  projectId: ProjectId;
  column: Column;
  swimlaneId: SwimlaneId;
  /** null takes the owner off, undefined keeps them; an owner who is no member becomes nobody. */
  ownerId: UserId | null | undefined;
}

/**
 * Moves a card to the bottom of a column of its own project: `moveTaskToProject` to the same project, one UPDATE of
 * one row that sets column, swimlane, owner and position together.
 *
 * Never `moveTaskPosition`: it rewrites the column of every open card of both columns from an earlier read, so two
 * overlapping moves undo each other. With 8 workers moving different cards, 57 of 71 (MariaDB) and 77 of 79
 * (PostgreSQL) moves that had answered true were reverted, and on SQLite 87 % failed as locked. This one lost 0 of 80
 * on all three, and costs the same for a long column.
 *
 * It reopens a closed card, pulls back a card that was moved to another project, and answers true always; it leaves
 * `date_moved` and `date_modification` alone, which is how a person's drag is told from it. So the caller reads the
 * card in the same batch, before.
 * @throws FabricError `KB_FOREIGN_COLUMN`: Kanboard would put the card into a column of the same title or the first
 */
export function moveWithinProject(move: MoveWithinProject): Procedure<boolean> {
  const { taskId, projectId, column, swimlaneId, ownerId } = move;
  if (column.projectId !== projectId) {
    throw new FabricError(
      `column ${column.id} (${column.title}) belongs to project ${column.projectId}, not to ${projectId}`,
      {
        code: "KB_FOREIGN_COLUMN",
        retryable: "no",
        hint: "Read the columns of the card's own project.",
        details: { taskId, projectId, columnId: column.id },
      },
    );
  }
  return moveTaskToProject({ taskId, projectId, columnId: column.id, swimlaneId, ownerId });
}

export interface MoveToProject {
  taskId: TaskId;
  projectId: ProjectId;
  columnId?: ColumnId | undefined;
  swimlaneId?: SwimlaneId | undefined;
  ownerId?: UserId | null | undefined;
}

/** Into another project: columns and swimlanes are found by title, unknown ones become the first; true always. */
export function moveTaskToProject(move: MoveToProject): Procedure<boolean> {
  const params = {
    task_id: move.taskId,
    project_id: move.projectId,
    swimlane_id: move.swimlaneId,
    column_id: move.columnId,
    owner_id: move.ownerId === null ? 0 : move.ownerId,
  };
  return write("moveTaskToProject", params, bool);
}

export interface MovePosition {
  projectId: ProjectId;
  taskId: TaskId;
  columnId: ColumnId;
  /** From 1 at the top. */
  position: number;
  /** 0 keeps the swimlane. */
  swimlaneId: SwimlaneId | 0;
}

/**
 * What a drag on the board does. Only for tests that act as a person dragging: see `moveWithinProject` for what it
 * does to other cards. false also when nothing changes.
 */
export function moveTaskPosition(move: MovePosition): Procedure<boolean> {
  const params = {
    project_id: move.projectId,
    task_id: move.taskId,
    column_id: move.columnId,
    position: move.position,
    swimlane_id: move.swimlaneId,
  };
  return write("moveTaskPosition", params, bool);
}
