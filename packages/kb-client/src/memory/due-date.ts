// Due dates as Kanboard reads them.
import { epochOf, parseWall, wallOf } from "../rpc/zoned-time.ts";
import type { Call } from "./board.ts";

/** Epoch seconds, 0 to clear, null when Kanboard refuses it: seconds, a T, an offset, a number. */
export function dueDate(call: Call, value: unknown): number | null {
  if (value === "" || value === null || value === undefined) return 0;
  if (typeof value !== "string" || value.length > 16 || value.includes("T")) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    // A day alone gets the current time of day.
    const { hour, minute } = wallOf(call.now, call.zone);
    const day = parseWall(`${value} 00:00`);
    return day && epochOf({ ...day, hour, minute }, call.zone) + (call.now % 60);
  }
  const wall = parseWall(value);
  return wall && epochOf(wall, call.zone);
}
