// The worker of the queue "local".
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import { readRecord } from "./process-record.ts";
import { queueFile } from "./queue-file.ts";
import { QUEUE } from "./seed-board.ts";
import type { Secrets } from "./secrets.ts";
import type { Service } from "./service.ts";
import { serviceEnvironment, spawnDetached } from "./spawn-detached.ts";

export function workerService(layout: Layout, secrets: Secrets): Service {
  const name = `worker-${QUEUE}` as const;
  const main = join(layout.repo, "workers", "src", "main.ts");
  const { version } = JSON.parse(readFileSync(join(layout.repo, "package.json"), "utf8")) as {
    version: string;
  };
  return {
    name,
    address: `queue ${QUEUE}`,
    version,
    depends: [
      secrets,
      readFileSync(queueFile(layout), "utf8"),
      readFileSync(layout.boardFile, "utf8"),
      version,
    ],
    patienceMs: 30_000,
    start: () =>
      spawnDetached({
        program: process.execPath,
        args: ["--disable-warning=ExperimentalWarning", main, "--queue", QUEUE],
        cwd: layout.repo,
        env: serviceEnvironment({
          FABRIC_HOME: layout.home,
          FABRIC_AGENT: secrets.worker.username,
        }),
        log: layout.log(name),
      }),
    isHealthy: async () => saysStarted(layout, name),
  };
}

/** The worker has no port: its log says when it has found board, ledger and queue. */
function saysStarted(layout: Layout, name: string): boolean {
  const lines = readFileSync(layout.log(name), "utf8").trim().split("\n");
  const last = lines.findLastIndex((line) => line.includes('"worker.started"'));
  return (
    last >= 0 &&
    (readRecord(layout, name) === null ||
      lines[last]?.includes(`"pid":${readRecord(layout, name)?.pid}`) === true)
  );
}
