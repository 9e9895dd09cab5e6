// How figures are printed: text for people, or one JSON object per line.

export interface Figure {
  /** P1, P2 … as docs/benchmarks.md explains them. */
  metric: string;
  value: number;
  goal: number;
  ok: boolean;
  /** What was measured, in a few words. */
  what: string;
  detail?: string;
}

export function atMost(
  metric: string,
  what: string,
  value: number,
  goal: number,
  detail = "",
): Figure {
  return { metric, what, value: round(value), goal, ok: value <= goal, detail };
}

export function atLeast(
  metric: string,
  what: string,
  value: number,
  goal: number,
  detail = "",
): Figure {
  return { metric, what, value: round(value), goal, ok: value >= goal, detail };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function print(figures: readonly Figure[], json: boolean): void {
  for (const { metric, value, goal, ok, what, detail } of figures) {
    const line = json
      ? JSON.stringify({ metric, value, goal, ok, what, detail })
      : `${ok ? "ok    " : "MISSED"} ${metric.padEnd(8)} ${String(value).padStart(8)}  goal ${goal}  ${what}${detail ? `\n                        ${detail}` : ""}`;
    process.stdout.write(`${line}\n`);
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
