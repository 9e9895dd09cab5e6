// The port between the loop and whatever does the work.
import type { Epoch, TaskId } from "@agap/kb-client";
import type { ResolvedRef } from "./context-refs.ts";

/** What a task is, as far as its executor may know: plain data, so that it can go to a thread. */
export interface TaskInput {
  taskId: TaskId;
  queue: string;
  /** The fencing token; give it to every system outside as part of names and idempotency keys. */
  epoch: Epoch;
  title: string;
  /** Markdown, verbatim. */
  description: string;
  /** The cards that title and description point at. */
  refs: readonly ResolvedRef[];
  /** What people said on the card before the work began. */
  comments: readonly { by: string; text: string }[];
}

/** Why nothing of this queue can run for now. */
export interface Obstacle {
  code: string;
  /** One sentence, and what to do. */
  reason: string;
  /** Until it makes sense to try again, where that is known. */
  seconds?: number | undefined;
}

export type ExecutorOutcome =
  /** Markdown; its last paragraph is repeated in the comment on the card. */
  | { kind: "done"; result: string }
  /** A failed attempt. */
  | { kind: "failed"; reason: string }
  /** Nobody's fault: the task waits without losing an attempt, and nothing else of the queue is claimed meanwhile. */
  | ({ kind: "unavailable" } & Obstacle)
  /** This task needs a person. */
  | { kind: "question"; reason: string };

export interface Executor {
  /** Looks whether a task could run now, without running one and without cost; null when nothing stands in the way. */
  look?(signal: AbortSignal): Promise<Obstacle | null>;
  /** Must stop soon after the signal aborts; what it returns then is thrown away, unless it is done. */
  run(input: TaskInput, signal: AbortSignal): Promise<ExecutorOutcome>;
}
