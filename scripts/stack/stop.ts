// Ends scripts/up with a stable exit code, the reason and what to do about it.

/** The same numbers as in exit-codes.sh. */
export const EXIT = {
  board: 65,
  unreachable: 69,
  internal: 70,
  state: 73,
  busy: 75,
  port: 76,
  consent: 77,
  interrupted: 130,
} as const;

export class Stop extends Error {
  override readonly name = "Stop";
  readonly exitCode: number;
  readonly advice: readonly string[];

  constructor(exitCode: number, message: string, advice: readonly string[] = [], cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.exitCode = exitCode;
    this.advice = advice;
  }
}
