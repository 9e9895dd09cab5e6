// A part that runs: started detached when it is not running as it should, and waited for.
import { createHash } from "node:crypto";
import { systemClock } from "@agap/kb-client";
import type { Layout } from "./layout.ts";
import {
  isAlive,
  readRecord,
  type ServiceName,
  startTicks,
  writeRecord,
} from "./process-record.ts";
import { lastLines } from "./run-command.ts";
import { stopProcess } from "./stop-process.ts";
import { EXIT, Stop } from "./stop.ts";

export interface Service {
  name: ServiceName;
  address: string;
  version: string;
  /** Everything that makes a running one outdated when it changes. */
  depends: unknown;
  /** @returns the pid of a process that leads its own group */
  start(): number;
  /** One attempt; throws or answers false while the service is not ready. */
  isHealthy(): Promise<boolean>;
  patienceMs: number;
}

/** @returns "runs" when nothing had to be started */
export async function ensureRunning(layout: Layout, service: Service): Promise<"runs" | "started"> {
  const { name, address, version } = service;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify(service.depends))
    .digest("hex")
    .slice(0, 16);
  const known = readRecord(layout, name);
  if (known && isAlive(known)) {
    if (known.fingerprint === fingerprint && (await becomesHealthy(layout, service, known.pid)))
      return "runs";
    await stopProcess(known);
  }
  const pid = service.start();
  const ticks = startTicks(pid);
  if (ticks === null) throw notUp(layout, service, "it ended at once");
  await writeRecord(layout, {
    name,
    pid,
    startTicks: ticks,
    address,
    version,
    log: layout.log(name),
    fingerprint,
  });
  if (!(await becomesHealthy(layout, service, pid))) {
    throw notUp(
      layout,
      service,
      startTicks(pid) === null
        ? "it ended"
        : `it did not answer within ${service.patienceMs / 1000} s`,
    );
  }
  return "started";
}

async function becomesHealthy(layout: Layout, service: Service, pid: number): Promise<boolean> {
  void layout;
  const until = systemClock.monotonic() + service.patienceMs;
  while (startTicks(pid) !== null) {
    try {
      if (await service.isHealthy()) return true;
    } catch {
      // Not listening yet.
    }
    if (systemClock.monotonic() > until) return false;
    await systemClock.sleep(100);
  }
  return false;
}

function notUp(layout: Layout, service: Service, how: string): Stop {
  const log = layout.log(service.name);
  return new Stop(EXIT.internal, `${service.name} would not start: ${how}`, [
    ...lastLines(log, 12).map((line) => `| ${line}`),
    `The whole log is ${log}.`,
    "Run scripts/up again when the cause is gone.",
  ]);
}
