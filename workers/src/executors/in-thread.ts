// Runs an executor in a thread of its own: one that spins, runs out of memory or parses a huge answer can't stop the
// heartbeats of the main thread, and it can be ended for certain.
import { Worker } from "node:worker_threads";
import type { Clock } from "@agap/kb-client";
import type { Executor, ExecutorOutcome, Work } from "../executor.ts";
import type { LlmSettings } from "./llm.ts";

export type ThreadMessage =
  | { type: "outcome"; outcome: ExecutorOutcome }
  | { type: "error"; message: string };

/** After this an aborted executor is ended with its thread. */
const GRACE_MS = 2000;
const MAX_HEAP_MB = 256;

export function inThread(settings: LlmSettings, ports: { clock: Clock }): Executor {
  return { run: (work, signal) => runThread(settings, ports.clock, work, signal) };
}

async function runThread(
  settings: LlmSettings,
  clock: Clock,
  work: Work,
  signal: AbortSignal,
): Promise<ExecutorOutcome> {
  signal.throwIfAborted();
  const thread = new Worker(new URL("./llm-thread.ts", import.meta.url), {
    workerData: { settings, work },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const abort = (): void => {
    thread.postMessage("abort");
    void clock.sleep(GRACE_MS).then(() => thread.terminate());
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await new Promise<ExecutorOutcome>((resolve, reject) => {
      thread.on("message", (message: ThreadMessage) => {
        if (message.type === "outcome") resolve(message.outcome);
        else resolve({ kind: "failed", reason: `the executor broke: ${message.message}` });
      });
      thread.on("error", (error) =>
        resolve({ kind: "failed", reason: `the executor broke: ${String(error)}` }),
      );
      thread.on("exit", () => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve({ kind: "failed", reason: "the executor ended without an answer" });
      });
    });
  } finally {
    signal.removeEventListener("abort", abort);
    void thread.terminate();
  }
}
