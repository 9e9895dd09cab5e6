// Spans of time as they are typed: 90s, 5m, 2h, 3d.
import { FabricError } from "@agap/kb-client";

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds; null for anything that is no span. */
export function spanOf(text: string): number | null {
  const match = /^(\d{1,6}(?:\.\d+)?)(s|m|h|d)$/.exec(text.trim());
  return match ? Number(match[1]) * (UNITS[match[2] ?? ""] ?? Number.NaN) : null;
}

/** @throws FabricError `INPUT_DURATION` */
export function parseSpan(text: string, option: string): number {
  const span = spanOf(text);
  if (span !== null && span > 0) return span;
  throw new FabricError(`${JSON.stringify(text)} is no duration for ${option}`, {
    code: "INPUT_DURATION",
    retryable: "no",
    hint: "Write a number and a unit: 90s, 5m, 2h or 3d.",
  });
}
