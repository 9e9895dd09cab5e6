// The worker of one queue as a process: `node workers/src/main.ts --queue local`. Exit codes are in docs/workers.md.
import { readFileSync } from "node:fs";
import { systemClock, systemRandom } from "@agap/kb-client";
import { exitCodeOf } from "./exit-codes.ts";
import { describeError, makeLog } from "./log.ts";
import { readSettings } from "./settings.ts";
import { start } from "./start.ts";

const stop = new AbortController();
const now = new AbortController();
const onSignal = (): void => {
  if (stop.signal.aborted) now.abort(new Error("told twice"));
  stop.abort(new Error("told to stop"));
};
process.on("SIGTERM", onSignal);
process.on("SIGINT", onSignal);

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { version } = JSON.parse(manifest) as { version: string };
// New at every start: two workers with the same account are told apart by it.
const instance = systemRandom.base36(8);
let log = makeLog({ service: "worker", version, instance }, "info");
process.on("uncaughtExceptionMonitor", (error) => {
  log.fatal({ event: "worker.stopped_by_error", ...describeError(error) });
});
try {
  const settings = readSettings(process.argv.slice(2), process.env);
  const { agent: worker, queue, logLevel } = settings;
  log = makeLog({ service: "worker", version, worker, queue: queue.queue, instance }, logLevel);
  const ports = { clock: systemClock, random: systemRandom };
  await start(settings, ports, { stop: stop.signal, now: now.signal }, log);
} catch (error) {
  process.exitCode = exitCodeOf(error);
  log.fatal({ event: "worker.stopped_by_error", exit: process.exitCode, ...describeError(error) });
}
