// The daemon's loop: look at the model, poll, claim, and run what was claimed; beside it heartbeats and sweeps.
import {
  claim,
  elapsed,
  type FabricContext,
  finishReleased,
  type HeldClaim,
  type Instant,
  instant,
  isFabricError,
  LeaseKeeper,
  poll,
  type Queue,
  SkipList,
  type Task,
  timeLeft,
} from "@agap/kb-client";
import { Availability, type Pauses } from "./availability.ts";
import type { Executor } from "./executor.ts";
import { Outage } from "./outage.ts";
import { runTask } from "./run-task.ts";
import { Shutdown } from "./shutdown.ts";
import { sweepRegularly } from "./sweeping.ts";
import { Wake } from "./wake.ts";

export interface WorkerOptions {
  ctx: FabricContext;
  queue: Queue;
  executor: Executor;
  slots: number;
  /** Milliseconds between two polls while work flows, and at most while there is none. */
  poll: { busy: number; idle: number };
  unavailable: Pauses;
  /** Milliseconds that running work has to finish after `stop`. */
  grace: number;
  /** Stops claiming; running work may finish within the grace. */
  stop: AbortSignal;
  /** Hands everything back at once. */
  stopNow?: AbortSignal;
  /** Reads again whether board, ledger and queue are what they were at the start; rejects with what is wrong. */
  verify?: (signal: AbortSignal) => Promise<void>;
}

/**
 * Runs until `stop`; then finishes or hands back what it holds and returns.
 * @throws FabricError that waiting can't heal: a refused credential, a ledger or queue that is gone
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  await new QueueWorker(options).run();
}

class QueueWorker {
  readonly #o: WorkerOptions;
  readonly #keeper: LeaseKeeper;
  readonly #skips: SkipList;
  readonly #availability: Availability;
  readonly #outage: Outage;
  readonly #shutdown: Shutdown;
  readonly #wake = new Wake();
  readonly #running = new Set<Promise<void>>();
  #lastPoll: { at: Instant; cards: Task[] } | null = null;
  #emptyPolls = 0;

  constructor(options: WorkerOptions) {
    const { ctx, queue, unavailable, stop, stopNow, grace } = options;
    this.#o = options;
    this.#keeper = new LeaseKeeper(ctx);
    this.#skips = new SkipList(ctx, queue.rules.leaseMs);
    this.#availability = new Availability(ctx, queue.name, unavailable);
    this.#outage = new Outage(ctx, queue.name);
    this.#shutdown = new Shutdown(ctx.clock, { stop, now: stopNow, grace });
  }

  async run(): Promise<void> {
    const { ctx, queue } = this.#o;
    const end = new AbortController();
    const sweeping = {
      ctx,
      queue,
      keeper: this.#keeper,
      onError: (error: unknown) => this.#afterError(error, end.signal),
      onSuccess: () => this.#outage.over(),
    };
    const beside = [
      this.#orFail(this.#keeper.run(end.signal)),
      this.#orFail(sweepRegularly(sweeping, end.signal)),
      this.#shutdown.run(end.signal),
    ];
    await this.#orFail(this.#polling());
    await Promise.all(this.#running);
    end.abort(new Error("the worker has ended"));
    await Promise.all(beside);
    this.#shutdown.rethrow();
  }

  /** A part that breaks must not go unnoticed: without heartbeats, work would run under a lease that is over. */
  async #orFail(part: Promise<void>): Promise<void> {
    try {
      await part;
    } catch (error) {
      this.#shutdown.fail(error);
    }
  }

  async #polling(): Promise<void> {
    const { ctx } = this.#o;
    const { begun } = this.#shutdown;
    while (!begun.aborted) {
      let pause: number;
      try {
        const claimed = await this.#round(begun);
        this.#emptyPolls = claimed > 0 ? 0 : this.#emptyPolls + 1;
        pause = this.#pause();
      } catch (error) {
        if (begun.aborted) return;
        pause = await this.#afterError(error, begun);
      }
      await this.#wake.orAfter(ctx.clock, pause, begun);
    }
  }

  /** One poll and the claims that follow from it; returns how many were won. */
  async #round(stop: AbortSignal): Promise<number> {
    if (this.#free() <= 0 || !(await this.#mayClaim(stop))) return 0;
    const cards = await this.#candidates(stop);
    let claimed = 0;
    while (cards.length > 0 && this.#free() > 0 && !stop.aborted) {
      const results = await Promise.allSettled(
        cards.splice(0, this.#free()).map((card) => this.#take(card)),
      );
      for (const result of results) {
        if (result.status === "rejected") throw result.reason;
        if (result.value) claimed += 1;
      }
    }
    return claimed;
  }

  /**
   * The rest of the last poll while it is fresh: a long queue is not read again for every card. A stale candidate costs
   * one lost claim, nothing else.
   */
  async #candidates(stop: AbortSignal): Promise<Task[]> {
    const { ctx, queue, poll: pauses } = this.#o;
    const last = this.#lastPoll;
    if (last && last.cards.length > 0 && elapsed(ctx.clock, last.at) < pauses.busy)
      return last.cards;
    const at = instant(ctx.clock);
    const cards = await poll(ctx, queue, this.#skips, stop);
    this.#outage.over();
    this.#lastPoll = { at, cards };
    return cards;
  }

  #free(): number {
    return this.#availability.slots(this.#o.slots) - this.#running.size;
  }

  async #mayClaim(stop: AbortSignal): Promise<boolean> {
    const { executor } = this.#o;
    if (!this.#availability.wantsLook) return true;
    this.#availability.looked((await executor.look?.(stop)) ?? null);
    return this.#free() > 0;
  }

  async #take(card: Task): Promise<boolean> {
    const { ctx, queue } = this.#o;
    // Not ended by the first signal: a claim whose answer is not awaited is held by nobody until its lease is over.
    const result = await claim(ctx, queue, card, this.#shutdown.handBack);
    if (result.outcome !== "won") {
      this.#skips.add(card);
      return false;
    }
    const { held } = result;
    if (timeLeft(ctx, held) <= 0) {
      // The board was so slow that the lease is nearly over: work under it would be aborted at once, as an attempt.
      await finishReleased(ctx, held, "the claim took too long", this.#shutdown.handBack);
      return false;
    }
    this.#start(held);
    return true;
  }

  #start(held: HeldClaim): void {
    const { ctx, executor } = this.#o;
    this.#keeper.add(held);
    const run = {
      ctx,
      executor,
      availability: this.#availability,
      shutdown: this.#shutdown,
    };
    const work = this.#orFail(runTask(run, held)).finally(() => {
      this.#keeper.remove(held);
      this.#running.delete(work);
      this.#wake.now();
    });
    this.#running.add(work);
  }

  #pause(): number {
    const { ctx, poll: pauses } = this.#o;
    const parked = this.#availability.pauseLeft();
    if (parked > 0) return parked;
    // A task that ends wakes the loop.
    if (this.#free() <= 0) return pauses.idle;
    if (this.#emptyPolls === 0) return 0;
    const grown = Math.min(pauses.busy * 2 ** (this.#emptyPolls - 1), pauses.idle);
    return grown * (0.5 + ctx.random.next() * 0.5);
  }

  /** Waits out what heals by itself. What can't heal ends the worker. */
  async #afterError(error: unknown, signal: AbortSignal): Promise<number> {
    if (!isFabricError(error) || isFinal(error.code)) {
      this.#shutdown.fail(error);
      return 0;
    }
    if (error.code === "KB_FORBIDDEN" && this.#o.verify) {
      // One card out of reach answers like a project out of reach; only the latter is the end.
      try {
        await this.#o.verify(signal);
      } catch (cause) {
        if (signal.aborted) return 0;
        if (!isFabricError(cause) || cause.retryable === "no") {
          this.#shutdown.fail(cause);
          return 0;
        }
      }
    }
    return this.#outage.met(error);
  }
}

function isFinal(code: string): boolean {
  return code === "KB_UNAUTHORIZED" || code.startsWith("LEDGER_");
}
