// Runs an executor in a thread of its own: one that spins, runs out of memory or parses a huge answer can't stop the
// heartbeats of the main thread, and it can be ended for certain.
import type { Clock } from "@agap/kb-client";
import type { Executor, ExecutorOutcome, TaskInput } from "../executor.ts";
import { ExecutorThread } from "./executor-thread.ts";

/** An aborted executor that does not end by itself is ended with its thread after this. */
const GRACE_MS = 2000;
/** A thread takes 0.5 to 1 s to start (measured), so it is kept; not for ever, since what it leaks stays. */
const TASKS_PER_THREAD = 50;

/** @param script module of the thread; it calls `serveThread` */
export function inThread(script: URL, settings: unknown, ports: { clock: Clock }): Executor {
  const idle: ExecutorThread[] = [];
  return {
    async run(input, signal) {
      signal.throwIfAborted();
      const kept = idle.pop();
      const thread = kept && !kept.hasEnded ? kept : new ExecutorThread(script, settings);
      const outcome = await runIn(thread, ports.clock, input, signal);
      if (signal.aborted || thread.hasEnded || thread.tasks >= TASKS_PER_THREAD) {
        await thread.end();
      } else {
        idle.push(thread);
      }
      if (outcome.kind !== "done") signal.throwIfAborted();
      return outcome;
    },
  };
}

async function runIn(
  thread: ExecutorThread,
  clock: Clock,
  input: TaskInput,
  signal: AbortSignal,
): Promise<ExecutorOutcome> {
  const over = new AbortController();
  const stop = async (): Promise<void> => {
    thread.abort();
    try {
      await clock.sleep(GRACE_MS, over.signal);
    } catch {
      return;
    }
    await thread.end();
  };
  const abort = (): void => void stop();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await thread.run(input);
  } finally {
    over.abort();
    signal.removeEventListener("abort", abort);
  }
}
