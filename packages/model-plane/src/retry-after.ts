// When it makes sense to try again, as headers and sentences say it.

/** Vendors have windows of 30 days; anything longer is a misread unit. */
const LONGEST_SECONDS = 35 * 86_400;

/**
 * @param nowMs epoch milliseconds
 * @returns whole seconds from now, undefined where nothing is said or the time has passed
 */
export function retryAfter(
  headers: { get(name: string): string | null },
  message: string,
  nowMs: number,
): number | undefined {
  const candidates = [
    fromHeader(headers.get("retry-after"), nowMs),
    fromHeader(headers.get("llm_provider-retry-after"), nowMs),
    fromDate(headers.get("reset_at"), nowMs),
    fromSentence(message),
  ];
  const seconds = candidates.find((value) => value !== undefined && value > 0);
  return seconds === undefined ? undefined : Math.min(Math.ceil(seconds), LONGEST_SECONDS);
}

/** Seconds or an HTTP date. */
function fromHeader(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  const seconds = Number(text);
  return Number.isFinite(seconds) ? seconds : fromDate(text, nowMs);
}

/** LiteLLM writes "2026-08-27 00:15:18 UTC". */
function fromDate(text: string | null, nowMs: number): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : (time - nowMs) / 1000;
}

function fromSentence(message: string): number | undefined {
  const match = /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(?:s\b|sec)/i.exec(message);
  return match ? Number(match[1]) : undefined;
}
