// The thread's end of `inThread`: gets its work, sends its outcomes, stops when it is told to.
import { parentPort, workerData } from "node:worker_threads";
import type { ExecutorOutcome, TaskInput } from "../executor.ts";
import type { ThreadOrder, ThreadReport } from "./executor-thread.ts";

type Run = (settings: unknown, input: TaskInput, signal: AbortSignal) => Promise<ExecutorOutcome>;

export function serveThread(run: Run): void {
  let stop = new AbortController();
  parentPort?.on("message", (order: ThreadOrder) => {
    if (order.type === "abort") {
      stop.abort(new Error("aborted"));
      return;
    }
    stop = new AbortController();
    void serve(run, order.input, stop.signal);
  });
  send({ type: "ready" });
}

async function serve(run: Run, input: TaskInput, signal: AbortSignal): Promise<void> {
  let report: ThreadReport;
  try {
    report = { type: "outcome", outcome: await run(workerData, input, signal) };
  } catch (error) {
    report = { type: "error", message: String(error) };
  }
  send(report);
}

function send(report: ThreadReport): void {
  parentPort?.postMessage(report);
}
