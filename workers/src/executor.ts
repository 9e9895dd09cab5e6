// The port between the loop and whatever does the work.
import type { Comment, Epoch, Task } from "@agap/kb-client";

export interface Work {
  task: Task;
  /** Everything said on the card before the work began, by people and agents. */
  comments: readonly Comment[];
  /** Of the agents' own comments, for telling them from people's. */
  agentIds: readonly number[];
  /** The fencing token; give it to every system outside as part of names and idempotency keys. */
  epoch: Epoch;
}

export type ExecutorOutcome =
  | { kind: "done"; result: string }
  /** A failed attempt. */
  | { kind: "failed"; reason: string }
  /** Nobody's fault: goes on by itself after `seconds`, and so long nothing else of the queue is claimed. */
  | { kind: "unavailable"; reason: string; code: string; seconds: number | undefined }
  /** Nothing of this queue can run until a person corrects its configuration. */
  | { kind: "misconfigured"; reason: string; code: string }
  /** This task needs a person. */
  | { kind: "question"; reason: string };

export interface Executor {
  /** Must stop soon after the signal aborts; what it returns then is thrown away. */
  run(work: Work, signal: AbortSignal): Promise<ExecutorOutcome>;
}
