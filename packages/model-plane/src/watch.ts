// Ends a call that takes too long, by the caller's clock. The openai package's own timeout does not cover a stream
// that stalls (measured: still hanging after 3 s with a timeout of 500 ms).
import type { Clock } from "@agap/kb-client";
import { ModelError } from "./model-error.ts";

export interface TimeLimits {
  /** Milliseconds: the whole call, until the first token, between two tokens. */
  deadline: number;
  firstToken: number;
  idle: number;
}

export class Watch {
  readonly #clock: Clock;
  readonly #limits: TimeLimits;
  readonly #started: number;
  readonly #abort = new AbortController();
  readonly #ended = new AbortController();
  #lastHeard: number | undefined;
  /** Ends with the caller's signal and with any of the limits. */
  readonly signal: AbortSignal;
  expired: ModelError | undefined;

  constructor(clock: Clock, limits: TimeLimits, outer: AbortSignal | undefined) {
    this.#clock = clock;
    this.#limits = limits;
    this.#started = clock.monotonic();
    this.signal = outer ? AbortSignal.any([outer, this.#abort.signal]) : this.#abort.signal;
    void this.#run();
  }

  /** A token has come. */
  heard(): void {
    this.#lastHeard = this.#clock.monotonic();
  }

  stop(): void {
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    const { deadline, firstToken, idle } = this.#limits;
    const end = this.#started + deadline;
    for (;;) {
      const next =
        this.#lastHeard === undefined ? this.#started + firstToken : this.#lastHeard + idle;
      const left = Math.min(next, end) - this.#clock.monotonic();
      if (left <= 0) return this.#expire(end <= next);
      try {
        // Not longer than `idle`: the first token moves the limit to that.
        await this.#clock.sleep(Math.min(left, idle), this.#ended.signal);
      } catch {
        return;
      }
    }
  }

  #expire(atDeadline: boolean): void {
    this.expired =
      this.#lastHeard === undefined ? noFirstToken() : atDeadline ? overDeadline() : stalled();
    this.#abort.abort(this.expired);
  }
}

/** Nothing was answered, so nothing was paid for: the model is taken for absent. */
export function noFirstToken(cause?: unknown): ModelError {
  return new ModelError("the model did not begin to answer in time", {
    code: "MODEL_NO_FIRST_TOKEN",
    fault: "unavailable",
    hint: "The queue goes on when the model answers; raise `executor.firstToken` for one that loads slowly.",
    cause,
  });
}

export function stalled(cause?: unknown): ModelError {
  return new ModelError("the model stopped in the middle of its answer", {
    code: "MODEL_STALLED",
    fault: "failed",
    hint: "The attempt counts; raise `executor.idle` if the model is simply slow.",
    cause,
  });
}

function overDeadline(): ModelError {
  return new ModelError("the call took longer than its deadline", {
    code: "MODEL_DEADLINE",
    fault: "failed",
    hint: "The attempt counts; raise `executor.deadline` or lower `executor.maxTokens`.",
  });
}
