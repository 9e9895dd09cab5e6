// The thread in which the llm executor runs: gets its work, sends its outcome, stops when it is told to.
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "@agap/kb-client";
import type { Work } from "../executor.ts";
import type { ThreadMessage } from "./in-thread.ts";
import { llm, type LlmSettings } from "./llm.ts";

const { settings, work } = workerData as { settings: LlmSettings; work: Work };
const stop = new AbortController();
parentPort?.once("message", () => stop.abort(new Error("aborted")));

const send = (message: ThreadMessage): void => parentPort?.postMessage(message);
try {
  const outcome = await llm(settings, { clock: systemClock }).run(work, stop.signal);
  send({ type: "outcome", outcome });
} catch (error) {
  send({ type: "error", message: String(error) });
} finally {
  parentPort?.close();
}
