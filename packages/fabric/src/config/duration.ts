// Durations in configuration files: "250ms", "60s", "5m", "2h".
import { z } from "zod";

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Parses to milliseconds. */
export const duration = z
  .string()
  .regex(/^\d+(\.\d+)?(ms|s|m|h)$/, 'a number with ms, s, m or h, for example "60s"')
  .transform((text) => {
    const unit = text.endsWith("ms") ? "ms" : (text.at(-1) as "s" | "m" | "h");
    return Math.round(Number.parseFloat(text) * UNITS[unit]);
  });
