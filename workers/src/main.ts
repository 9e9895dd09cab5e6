// The worker of one queue as a process: `node workers/src/main.ts --queue local`. Exit codes are in docs/workers.md.
import { readFileSync } from "node:fs";
import { isFabricError, systemClock, systemRandom } from "@agap/kb-client";
import { makeLog } from "./log.ts";
import { exitCodeOf } from "./exit-codes.ts";
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

const { version } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as {
  version: string;
};
const instance = systemRandom.base36(8);
let log = makeLog({ service: "worker", version, instance }, "info");
try {
  const settings = readSettings(process.argv.slice(2), process.env);
  const bindings = {
    service: "worker",
    version,
    worker: settings.agent,
    queue: settings.queue.queue,
    instance,
  };
  log = makeLog(bindings, settings.logLevel);
  await start(
    settings,
    { clock: systemClock, random: systemRandom },
    { stop: stop.signal, now: now.signal },
    log,
  );
} catch (error) {
  process.exitCode = exitCodeOf(error);
  const known = isFabricError(error);
  log.fatal({
    event: "worker.stopped_by_error",
    code: known ? error.code : "unexpected",
    error: known
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error),
    hint: known ? error.hint : undefined,
  });
}
