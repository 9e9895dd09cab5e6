// Wall-clock times in named zones, as PHP (and so Kanboard) reads them.

/** Minutes are the finest that Kanboard stores. */
export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const wallPattern = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?$/;

/** "2026-12-01 10:00", with a T and with seconds too; null when it is no such time or no day of the calendar. */
export function parseWall(text: string): WallTime | null {
  const match = wallPattern.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const wall = { year, month, day, hour, minute };
  const back = new Date(utc(wall));
  const exists =
    back.getUTCMonth() === month - 1 && back.getUTCDate() === day && back.getUTCHours() === hour;
  return exists && minute < 60 ? wall : null;
}

export function formatWall(wall: WallTime): string {
  const year = `${wall.year}`.padStart(4, "0");
  return `${year}-${two(wall.month)}-${two(wall.day)} ${two(wall.hour)}:${two(wall.minute)}`;
}

function two(part: number): string {
  return `${part}`.padStart(2, "0");
}

/**
 * Epoch seconds of a wall time, by the steps of PHP's library, so that hours without a plain answer get Kanboard's: one
 * that a clock change skips moves on by as much, and of two like ones it is the second east of Greenwich and the first
 * west of it.
 */
export function epochOf(wall: WallTime, zone: string): number {
  const asUtc = utc(wall);
  const current = offsetAt(asUtc, zone);
  const after = offsetAt(asUtc - current, zone);
  const beforeChange = after > current && offsetAt(asUtc - after, zone) !== after;
  return Math.floor((asUtc - (beforeChange ? current : after)) / 1000);
}

/** @param epoch seconds */
export function wallOf(epoch: number, zone: string): WallTime {
  const date = new Date(epoch * 1000 + offsetAt(epoch * 1000, zone));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

export function isZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}

function utc(wall: WallTime): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute);
}

/** Milliseconds that the zone is ahead of UTC at this instant. */
function offsetAt(ms: number, zone: string): number {
  const parts = formatterOf(zone).formatToParts(ms);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((candidate) => candidate.type === type)?.value);
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return wall - Math.floor(ms / 1000) * 1000;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes about 50 microseconds, using it two. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US-u-hc-h23", {
    timeZone: zone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formatters.set(zone, made);
  return made;
}
