// Runs an executor in a thread of its own: one that spins, runs out of memory or parses a huge answer can't stop the
// heartbeats of the main thread, and it can be ended for certain.
import { Worker } from "node:worker_threads";
import type { Clock } from "@agap/kb-client";
import type { Executor, ExecutorOutcome, TaskInput } from "../executor.ts";

/** What the thread finds in its `workerData`. */
export interface ThreadData {
  settings: unknown;
  input: TaskInput;
}

/** The thread sends one of these; the main thread sends "abort". */
export type ThreadMessage =
  | { type: "outcome"; outcome: ExecutorOutcome }
  | { type: "error"; message: string };

/** After this an aborted executor is ended with its thread. */
const GRACE_MS = 2000;
const MAX_HEAP_MB = 256;

/** @param script module of the thread */
export function inThread(script: URL, settings: unknown, ports: { clock: Clock }): Executor {
  return {
    run: (input, signal) => runThread(script, { settings, input }, ports.clock, signal),
  };
}

async function runThread(
  script: URL,
  workerData: ThreadData,
  clock: Clock,
  signal: AbortSignal,
): Promise<ExecutorOutcome> {
  signal.throwIfAborted();
  const thread = new Worker(script, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const ended = new AbortController();
  const abort = (): void => void stopThread(thread, clock, ended.signal);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const outcome = await outcomeOf(thread);
    if (outcome.kind !== "done") signal.throwIfAborted();
    return outcome;
  } finally {
    signal.removeEventListener("abort", abort);
    ended.abort();
    await thread.terminate();
  }
}

function outcomeOf(thread: Worker): Promise<ExecutorOutcome> {
  return new Promise((resolve) => {
    const failed = (reason: string): void => resolve({ kind: "failed", reason });
    thread.on("message", (message: ThreadMessage) => {
      if (message.type === "outcome") resolve(message.outcome);
      else failed(`the executor broke: ${message.message}`);
    });
    thread.on("error", (error) => failed(`the executor broke: ${String(error)}`));
    thread.on("exit", () => failed("the executor ended without an answer"));
  });
}

/** A thread that spins never sees the message. */
async function stopThread(thread: Worker, clock: Clock, ended: AbortSignal): Promise<void> {
  thread.postMessage("abort");
  try {
    await clock.sleep(GRACE_MS, ended);
  } catch {
    return;
  }
  await thread.terminate();
}
