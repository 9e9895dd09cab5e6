// The thread's end of `inThread`: gets its work, sends its outcome, stops when it is told to.
import { parentPort, workerData } from "node:worker_threads";
import type { ExecutorOutcome, TaskInput } from "../executor.ts";
import type { ThreadData, ThreadMessage } from "./in-thread.ts";

export async function serveThread(
  run: (settings: unknown, input: TaskInput, signal: AbortSignal) => Promise<ExecutorOutcome>,
): Promise<void> {
  const { settings, input } = workerData as ThreadData;
  const stop = new AbortController();
  parentPort?.once("message", () => stop.abort(new Error("aborted")));
  try {
    send({ type: "outcome", outcome: await run(settings, input, stop.signal) });
  } catch (error) {
    send({ type: "error", message: String(error) });
  } finally {
    // Otherwise the listener keeps the thread.
    parentPort?.close();
  }
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
