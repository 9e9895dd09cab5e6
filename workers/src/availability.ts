// Whether the queue may claim right now. What keeps a model away parks the whole queue: nothing is claimed until a
// growing pause has passed, then the model is looked at, then one task only is tried.
import { elapsed, type FabricContext, type Instant, instant } from "@agap/kb-client";
import type { Obstacle } from "./executor.ts";

export interface Pauses {
  /** Milliseconds. */
  first: number;
  longest: number;
}

interface Parked {
  since: Instant;
  /** Milliseconds; with jitter, so that workers which met the same outage do not return together. */
  pause: number;
  /** Without jitter, for the next one. */
  step: number;
  /** A look can see the end of what a look has found; what only a task has met, only a task can clear. */
  foundBy: "look" | "task";
}

/** So many failed tasks in a row are hardly the tasks' fault: a model that fails at everything would spend them all. */
const FAILURES_IN_A_ROW = 5;
const JITTER = 0.1;

export class Availability {
  readonly #ctx: Pick<FabricContext, "clock" | "random" | "emit">;
  readonly #queue: string;
  readonly #pauses: Pauses;
  #parked: Parked | null = null;
  #wantsLook = true;
  #failures = 0;

  constructor(
    ctx: Pick<FabricContext, "clock" | "random" | "emit">,
    queue: string,
    pauses: Pauses,
  ) {
    this.#ctx = ctx;
    this.#queue = queue;
    this.#pauses = pauses;
  }

  /** How many tasks may run at the same time: all, one as a probe, or none. */
  slots(all: number): number {
    if (this.#parked === null) return all;
    return this.pauseLeft() > 0 ? 0 : 1;
  }

  /** Milliseconds until the next try; 0 when the queue is not parked. */
  pauseLeft(): number {
    if (this.#parked === null) return 0;
    const { since, pause } = this.#parked;
    return Math.max(0, pause - elapsed(this.#ctx.clock, since));
  }

  /** True at the start and after each pause: look before the next claim. */
  get wantsLook(): boolean {
    return this.#wantsLook && this.pauseLeft() === 0;
  }

  looked(found: Obstacle | null): void {
    this.#wantsLook = false;
    if (found !== null) this.#park(found, "look");
    else if (this.#parked?.foundBy === "look") this.#resume();
  }

  /** A task met it. Returns the seconds after which that task may be tried again. */
  met(obstacle: Obstacle): number {
    this.#park(obstacle, "task");
    // Later than the queue itself, so that the probe is not always the same card.
    return Math.ceil((this.pauseLeft() / 1000) * (1 + JITTER * this.#ctx.random.next()));
  }

  /** The model answered a task. */
  answered(): void {
    this.#failures = 0;
    this.#resume();
  }

  /** A task failed, although somebody answered. */
  failed(reason: string): void {
    this.#failures += 1;
    if (this.#failures < FAILURES_IN_A_ROW) this.#resume();
    else {
      const code = "WORKER_FAILING";
      this.#park(
        { code, reason: `${this.#failures} tasks in a row failed, the last: ${reason}` },
        "task",
      );
    }
  }

  #park({ code, reason, seconds }: Obstacle, foundBy: Parked["foundBy"]): void {
    const { clock, random, emit } = this.#ctx;
    const { first, longest } = this.#pauses;
    const left = this.pauseLeft();
    const asked = seconds === undefined ? undefined : Math.max(seconds * 1000, first);
    // Tasks that ran side by side meet the same outage: that is one reason for a longer pause, not several.
    if (left > 0 && (asked ?? 0) <= left) return;
    const before = this.#parked;
    const grown = before === null ? first : Math.min(before.step * 2, longest);
    const step = left > 0 && before ? before.step : grown;
    const pause = (asked ?? step) * (1 + JITTER * random.next());
    this.#parked = { since: instant(clock), pause, step, foundBy };
    this.#wantsLook = true;
    emit("queue.parked", { queue: this.#queue, code, reason, seconds: Math.ceil(pause / 1000) });
  }

  #resume(): void {
    if (this.#parked === null) return;
    this.#parked = null;
    this.#ctx.emit("queue.resumed", { queue: this.#queue });
  }
}
