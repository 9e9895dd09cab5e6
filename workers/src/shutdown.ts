// How a worker ends: first no more claims, then running work is handed back, then what could not be handed back is
// left to its lease.
import type { Clock } from "@agap/kb-client";

export interface StopOptions {
  /** Told to stop: running work may finish within the grace. */
  stop: AbortSignal;
  /** Told again: hand back at once. */
  now?: AbortSignal | undefined;
  /** Milliseconds. */
  grace: number;
}

/** For stopping the executors and writing to the board; a board that is away must not hold the process. */
const HAND_BACK_MS = 6000;

export class Shutdown {
  readonly #clock: Clock;
  readonly #options: StopOptions;
  readonly #fatal = new AbortController();
  readonly #handBack = new AbortController();
  readonly #giveUp = new AbortController();
  #error: unknown;
  /** No more claims. */
  readonly begun: AbortSignal;

  constructor(clock: Clock, options: StopOptions) {
    this.#clock = clock;
    this.#options = options;
    this.begun = AbortSignal.any([options.stop, this.#fatal.signal]);
  }

  /** Running work is aborted and given back. */
  get handBack(): AbortSignal {
    return this.#handBack.signal;
  }

  /** Nothing is waited for any more. */
  get giveUp(): AbortSignal {
    return this.#giveUp.signal;
  }

  /** An error that waiting can't heal ends the worker at once. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#fatal.abort(error);
  }

  /** @throws what `fail` was told */
  rethrow(): void {
    if (this.#fatal.signal.aborted) throw this.#error;
  }

  /** Walks through the stages until `ended` aborts; never rejects. */
  async run(ended: AbortSignal): Promise<void> {
    const { grace, now } = this.#options;
    await aborted(this.begun, ended);
    const hurry = now ? [this.#fatal.signal, now] : [this.#fatal.signal];
    await this.#pause(grace, AbortSignal.any([...hurry, ended]));
    this.#handBack.abort(new Error("the worker was stopped"));
    await this.#pause(HAND_BACK_MS, ended);
    this.#giveUp.abort(new Error("the worker has ended"));
  }

  async #pause(ms: number, cut: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(ms, cut);
    } catch {
      // Cut short on purpose.
    }
  }
}

/** Resolves when either aborts. */
function aborted(...signals: readonly AbortSignal[]): Promise<void> {
  const either = AbortSignal.any([...signals]);
  return new Promise((resolve) => {
    if (either.aborted) resolve();
    either.addEventListener("abort", () => resolve(), { once: true });
  });
}
