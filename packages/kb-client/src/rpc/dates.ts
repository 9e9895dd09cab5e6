// Due dates: people and programs say them in their own zone, Kanboard reads them in the zone of the account that
// writes and takes one form only.
import { FabricError } from "../errors.ts";
import type { TaskId } from "../ids.ts";
import type { KanboardClient } from "./client.ts";
import { getTimezone } from "./procedures/app.ts";
import { getTask, updateTask } from "./procedures/tasks.ts";
import type { SendOptions } from "./transport.ts";
import { epochOf, formatWall, isZone, parseWall, wallOf } from "./zoned-time.ts";

const isoPattern = /^(.+?)(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Epoch seconds, on the minute, of "2026-12-01 10:00" in `zone`, or of a time that names its offset
 * ("2026-12-01T10:00+02:00", "…Z"), which needs no zone.
 * @throws FabricError `KB_BAD_DATE`
 */
export function readDate(text: string, zone?: string): number {
  const iso = isoPattern.exec(text.trim());
  const wall = parseWall(iso?.[1]?.trim() ?? text.trim());
  if (!wall)
    throw badDate(
      text,
      'Write it as "2026-12-01 10:00" with a time zone, or as "2026-12-01T10:00Z".',
    );
  if (iso) return epochOf(wall, "UTC") - offsetSeconds(iso[2] ?? "Z");
  if (zone === undefined || !isZone(zone)) {
    throw badDate(text, 'Name its time zone, such as "Europe/Berlin".');
  }
  return epochOf(wall, zone);
}

function offsetSeconds(offset: string): number {
  if (offset === "Z") return 0;
  const digits = offset.replaceAll(/\D/g, "");
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60;
  return offset.startsWith("-") ? -seconds : seconds;
}

function badDate(text: string, hint: string): FabricError {
  return new FabricError(`not a date: ${JSON.stringify(text)}`, {
    code: "KB_BAD_DATE",
    retryable: "no",
    hint,
  });
}

/** As Kanboard takes it from an account in that zone. */
export function kanboardDate(epoch: number, accountZone: string): string {
  return formatWall(wallOf(epoch, accountZone));
}

export type DueDateSet =
  | { outcome: "set" }
  /**
   * Stored, but as another time: the account's zone has this hour twice and Kanboard means the other one, or the zone
   * was changed between the two requests.
   */
  | { outcome: "shifted"; stored: number | null }
  /** Kanboard said no, or the card is gone. */
  | { outcome: "refused" };

/**
 * Sets a due date and reads it back. Two requests: the account's zone, then the date.
 *
 * The date is never the first call of its request: Kanboard (1.2.51) sets the zone before it knows who calls, so with
 * a user's token the first call is read in the application's zone and only the later ones in the account's.
 * @param epoch seconds, on the minute
 */
export async function setDueDate(
  client: KanboardClient,
  taskId: TaskId,
  epoch: number,
  options: SendOptions,
): Promise<DueDateSet> {
  const zone = await client.call(getTimezone(), options);
  const [, updated, read] = await client.batch(
    [getTimezone(), updateTask(taskId, { dateDue: kanboardDate(epoch, zone) }), getTask(taskId)],
    options,
  );
  if (!updated.ok) throw updated.error;
  if (!read.ok) throw read.error;
  if (!updated.value || read.value === null) return { outcome: "refused" };
  const stored = read.value.dateDue;
  return stored === epoch ? { outcome: "set" } : { outcome: "shifted", stored };
}
