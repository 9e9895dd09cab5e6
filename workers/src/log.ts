// One JSON line per event, with stable names; secrets never reach it.
import { type EventSink, type FabricEvent, isFabricError } from "@agap/kb-client";
import { type DestinationStream, type Logger, pino } from "pino";

/** warn: it healed or will heal by itself; error: a person must act; debug: nothing happened. The rest is info. */
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

const SECRETS = ["token", "key", "password", "authorization"];

/** @param to standard output by default; written at once, so that the last line before an exit is not lost */
export function makeLog(
  bindings: Record<string, unknown>,
  level: string,
  to?: DestinationStream,
): Logger {
  const options = {
    level,
    base: bindings,
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return to ? pino(options, to) : pino(options);
}

export function sinkOf(log: Logger): EventSink {
  return (event, fields) => log[LEVELS[event] ?? "info"]({ event, ...fields });
}

/** A fault with its code and what to do about it; a bug with its stack. */
export function describeError(error: unknown): Record<string, unknown> {
  if (isFabricError(error)) {
    const { code, message, hint, cause } = error;
    return {
      code,
      error: message,
      hint,
      cause: cause instanceof Error ? cause.message : undefined,
    };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  return { code: "unexpected", error: stack ?? String(error) };
}
