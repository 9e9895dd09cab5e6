// When a task is due, as it is typed: an ISO time with offset, a local date or time, or a span from now.
import { FabricError } from "@agap/kb-client";
import { spanOf } from "./duration.ts";

const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Whole minutes, because Kanboard keeps no seconds; a date without a time is its last minute. A local time is one of
 * this machine's zone.
 * @returns epoch seconds
 * @throws FabricError `INPUT_DUE`, for a time that has passed too: no worker could meet it
 */
export function parseDue(text: string, nowMs: number): number {
  const at = moment(text.trim(), nowMs);
  if (at === null) {
    throw new FabricError(`${JSON.stringify(text)} is no time for --due`, {
      code: "INPUT_DUE",
      retryable: "no",
      hint: 'Write 2026-01-31, "2026-01-31 14:00", 2026-01-31T14:00+01:00 or +2h, +3d.',
    });
  }
  const minute = Math.floor(at / 60_000) * 60_000;
  if (minute <= nowMs) {
    throw new FabricError(`the due date ${text} has passed`, {
      code: "INPUT_DUE",
      retryable: "no",
      hint: "Nothing was created. Give a time that is still to come, or leave --due away.",
    });
  }
  return minute / 1000;
}

function moment(text: string, nowMs: number): number | null {
  if (text.startsWith("+")) {
    const span = spanOf(text.slice(1));
    return span === null ? null : nowMs + span;
  }
  if (WITH_OFFSET.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  const local = LOCAL.exec(text);
  if (!local) return null;
  const [year = 0, month = 0, day = 0] = local.slice(1, 4).map(Number);
  const [hour, minute] = local[4] === undefined ? [23, 59] : [Number(local[4]), Number(local[5])];
  const date = new Date(year, month - 1, day, hour, minute);
  // The constructor carries over what is out of range: 31 February would become 3 March.
  const asTyped = date.getMonth() === month - 1 && date.getDate() === day && hour < 24;
  return asTyped && minute < 60 ? date.getTime() : null;
}
