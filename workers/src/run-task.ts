// What happens to one held claim: the work, and the one write that ends it. When the lease is lost nothing is written.
import {
  type FabricContext,
  finishDone,
  type Finished,
  finishFailed,
  finishParked,
  finishReleased,
  type HeldClaim,
  isFabricError,
} from "@agap/kb-client";
import type { Availability } from "./availability.ts";
import type { Executor, ExecutorOutcome } from "./executor.ts";
import type { Shutdown } from "./shutdown.ts";
import { taskInput } from "./task-input.ts";

export interface TaskRun {
  ctx: FabricContext;
  executor: Executor;
  availability: Availability;
  shutdown: Pick<Shutdown, "handBack" | "giveUp">;
}

type Ended =
  | ExecutorOutcome
  | { kind: "stopped" }
  /** The board could not be read for what the card points at: no fault of the task. */
  | { kind: "unread" };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;

/** Never rejects: whatever goes wrong with a task is its own outcome. */
export async function runTask(run: TaskRun, held: HeldClaim): Promise<void> {
  const outcome = await execute(run, held);
  if (held.lost.signal.aborted) return;
  const signal = AbortSignal.any([held.lost.signal, run.shutdown.giveUp]);
  await persist(run.ctx, held, finishOf(run, held, outcome), signal);
}

async function execute(run: TaskRun, held: HeldClaim): Promise<Ended> {
  const { ctx, executor, shutdown } = run;
  const signal = AbortSignal.any([held.lost.signal, shutdown.handBack]);
  let outcome: Ended;
  try {
    signal.throwIfAborted();
    // An executor that does not stop when it is told to must not hold the process.
    const input = await taskInput(ctx, held, signal);
    outcome = await orAborted(executor.run(input, signal), shutdown.giveUp);
  } catch (error) {
    const unread = isFabricError(error) && error.retryable !== "no";
    outcome = unread
      ? { kind: "unread" }
      : { kind: "failed", reason: `the executor broke: ${String(error)}` };
  }
  return shutdown.handBack.aborted && outcome.kind !== "done" ? { kind: "stopped" } : outcome;
}

type Finish = (signal: AbortSignal) => Promise<Finished>;

/** Tells the queue what the outcome says about the model, and returns the write that ends the claim. */
function finishOf({ ctx, availability }: TaskRun, held: HeldClaim, outcome: Ended): Finish {
  switch (outcome.kind) {
    case "done":
      availability.answered();
      return (signal) => finishDone(ctx, held, outcome.result, signal);
    case "failed":
      availability.failed(outcome.reason);
      return (signal) => finishFailed(ctx, held, outcome.reason, signal);
    case "question": {
      availability.answered();
      const parking = { reason: outcome.reason, wait: { human: true } } as const;
      return (signal) => finishParked(ctx, held, parking, signal);
    }
    case "unavailable": {
      const seconds = availability.met(outcome);
      const until = Math.ceil(ctx.client.serverNow() / 1000) + seconds;
      const parking = { reason: outcome.reason, wait: { until } };
      return (signal) => finishParked(ctx, held, parking, signal);
    }
    case "unread":
      return (signal) => finishReleased(ctx, held, "what it points at could not be read", signal);
    case "stopped":
      return (signal) => finishReleased(ctx, held, "its worker was stopped", signal);
  }
}

/** The board may be away just now: while the lease holds, the work is not lost. */
async function persist(
  ctx: FabricContext,
  held: HeldClaim,
  finish: Finish,
  signal: AbortSignal,
): Promise<void> {
  const about = { task: held.task.id, queue: held.queue.name, epoch: held.slot.n };
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const { outcome } = await finish(signal);
      if (outcome === "gone") ctx.emit("task.gone", { ...about, place: "unknown" });
      return;
    } catch (error) {
      if (held.lost.signal.aborted) return;
      if (signal.aborted || !isFabricError(error) || error.retryable === "no") {
        const code = isFabricError(error) ? error.code : "unexpected";
        ctx.emit("task.unfinished", { ...about, code, error: String(error) });
        return;
      }
    }
    // Rejects only when the signal aborts, which the next try reports.
    await ctx.clock.sleep(pause * (0.5 + ctx.random.next()), signal).catch(() => undefined);
  }
}

/** Rejects with the signal's reason when it aborts before the work has ended. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
