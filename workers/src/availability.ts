// Whether the queue may claim right now. A model that is away parks the whole queue: nothing is claimed until a pause
// has passed, and then one task only, as a probe.
import { elapsed, type FabricContext, type Instant, instant } from "@agap/kb-client";

export interface Pauses {
  /** Milliseconds. */
  first: number;
  longest: number;
}

export class Availability {
  readonly #ctx: FabricContext;
  readonly #pauses: Pauses;
  readonly #queue: string;
  #parked: { since: Instant; pause: number; reason: string } | null = null;

  constructor(ctx: FabricContext, queue: string, pauses: Pauses) {
    this.#ctx = ctx;
    this.#queue = queue;
    this.#pauses = pauses;
  }

  /** How many tasks may run at the same time: all, one as a probe, or none. */
  slots(all: number): number {
    if (this.#parked === null) return all;
    return this.pauseLeft() > 0 ? 0 : 1;
  }

  /** Milliseconds until the next probe; 0 when the queue is not parked. */
  pauseLeft(): number {
    if (this.#parked === null) return 0;
    const { since, pause } = this.#parked;
    return Math.max(0, pause - elapsed(this.#ctx.clock, since));
  }

  /** @returns seconds after which the task that met this may be tried again */
  park(reason: string, code: string, seconds: number | undefined): number {
    const { first, longest } = this.#pauses;
    const before = this.#parked?.pause;
    const grown = before === undefined ? first : Math.min(before * 2, longest);
    const pause = seconds === undefined ? grown : Math.max(seconds * 1000, first);
    this.#parked = { since: instant(this.#ctx.clock), pause, reason };
    const fields = { queue: this.#queue, reason, code, seconds: Math.ceil(pause / 1000) };
    this.#ctx.emit("queue.parked", fields);
    // A little later than the queue itself, so that the probe is not always the same card.
    return Math.ceil((pause * (1 + 0.1 * this.#ctx.random.next())) / 1000);
  }

  resume(): void {
    if (this.#parked === null) return;
    this.#parked = null;
    this.#ctx.emit("queue.resumed", { queue: this.#queue });
  }
}
