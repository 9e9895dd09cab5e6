// A signal that aborts after a while by a clock that tests can drive.
import type { Clock } from "../ports.ts";

export class TimeLimit {
  readonly #passed = new AbortController();
  readonly #ended = new AbortController();
  /** Aborts after the time, or with the outer signal. */
  readonly signal: AbortSignal;

  constructor(clock: Clock, ms: number, outer?: AbortSignal) {
    const { signal } = this.#passed;
    this.signal = outer ? AbortSignal.any([outer, signal]) : signal;
    void this.#run(clock, ms);
  }

  /** The work was done in time. */
  end(): void {
    this.#ended.abort();
  }

  async #run(clock: Clock, ms: number): Promise<void> {
    try {
      await clock.sleep(ms, this.#ended.signal);
    } catch {
      return;
    }
    this.#passed.abort(new Error(`not within ${ms} ms`));
  }
}
