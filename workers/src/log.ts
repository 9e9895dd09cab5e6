// One JSON line per event, with stable names; secrets never reach it.
import type { EventSink, FabricEvent } from "@agap/kb-client";
import { type Logger, pino } from "pino";

/** warn: it healed or will heal by itself; error: a person must act. */
const LEVELS: Partial<Record<FabricEvent, "debug" | "warn" | "error">> = {
  "task.claim_lost": "debug",
  "lease.renewed": "debug",
  "lease.unconfirmed": "warn",
  "lease.lost": "warn",
  "lease.expired": "warn",
  "write.fenced": "warn",
  "write.read_back": "warn",
  "task.failed": "warn",
  "task.unfinished": "warn",
  "task.dead_letter": "error",
  "projection.repaired": "warn",
  "projection.disturbed": "warn",
  "ledger.damaged": "error",
  "queue.parked": "warn",
  "board.unreachable": "warn",
};

const SECRETS = [
  "token",
  "key",
  "password",
  "authorization",
  "*.token",
  "*.key",
  "*.password",
  "*.authorization",
];

export function makeLog(bindings: Record<string, unknown>, level: string): Logger {
  return pino({
    level,
    base: bindings,
    redact: SECRETS,
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

export function sinkOf(log: Logger): EventSink {
  return (event, fields) => log[LEVELS[event] ?? "info"]({ event, ...fields });
}
