// A queue as the protocol sees it: one project, the columns it uses, and its rules.
import type { ColumnId, ProjectId, SwimlaneId } from "../ids.ts";
import type { Column } from "../rpc/index.ts";

/** What a column is to the queue; titles are translated, so roles are mapped to ids at set-up. */
export type ColumnRole = "backlog" | "ready" | "wip" | "done" | "deadLetter" | "other";

export interface QueueColumns {
  backlog: Column;
  ready: Column;
  wip: Column;
  done: Column;
  /** Optional: without it dead letters lie in Backlog with the tag. */
  deadLetter: Column | null;
}

export interface QueueRules {
  /** Milliseconds a claim lives without a confirmed heartbeat. */
  leaseMs: number;
  /** Claims per round before the task becomes a dead letter. */
  maxAttempts: number;
  /** Milliseconds before a failed attempt may be claimed again; doubled per attempt. */
  retryDelayMs: number;
  /** Score 0 is not taken but asked for. */
  requireScore: boolean;
  /**
   * Columns whose new cards are taken. Ready always is one; with `backlog` a card that was just added there is moved to
   * Ready, while one that a person dragged there is held.
   */
  intake: readonly ("ready" | "backlog")[];
  /** Which priorities are taken first, best first. */
  takeOrder: readonly number[];
}

export interface Queue {
  name: string;
  project: ProjectId;
  swimlane: SwimlaneId;
  columns: QueueColumns;
  rules: QueueRules;
}

export function roleOf(queue: Queue, column: ColumnId): ColumnRole {
  const { backlog, ready, wip, done, deadLetter } = queue.columns;
  if (column === ready.id) return "ready";
  if (column === wip.id) return "wip";
  if (column === backlog.id) return "backlog";
  if (column === done.id) return "done";
  if (column === deadLetter?.id) return "deadLetter";
  return "other";
}

/** The column of a role; a queue without a dead-letter column keeps its dead letters in Backlog. */
export function columnOf(queue: Queue, role: Exclude<ColumnRole, "other">): Column {
  return queue.columns[role] ?? queue.columns.backlog;
}

/** Tags are matched as substrings by Kanboard's search, so none of these contains another. */
export const TAGS = {
  blocked: "blocked",
  deadLetter: "dead-letter",
  needsHumanVerify: "needs-human-verify",
  canceled: "canceled",
  rejected: "rejected",
  unverified: "unverified",
} as const;
