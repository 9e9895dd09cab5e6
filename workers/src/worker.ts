// The daemon's loop: poll, claim, execute, finish; and beside it the heartbeats and the sweeps.
import {
  claim,
  type FabricContext,
  type FabricError,
  finishDone,
  finishFailed,
  finishParked,
  finishReleased,
  type HeldClaim,
  isFabricError,
  LeaseKeeper,
  poll,
  type Queue,
  SkipList,
  sweep,
  SweepMemory,
  type Task,
} from "@agap/kb-client";
import { Availability, type Pauses } from "./availability.ts";
import type { Executor, ExecutorOutcome } from "./executor.ts";
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
}

/** Sweeps per lease: an expired claim is found within a quarter of it. */
const SWEEPS_PER_LEASE = 4;
const LONGEST_OUTAGE_PAUSE_MS = 30_000;

/** Runs until `stop`; then finishes or hands back what it holds and returns. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const worker = new QueueWorker(options);
  await worker.run();
}

class QueueWorker {
  readonly #o: WorkerOptions;
  readonly #keeper: LeaseKeeper;
  readonly #skips: SkipList;
  readonly #memory = new SweepMemory();
  readonly #availability: Availability;
  readonly #wake = new Wake();
  readonly #running = new Set<Promise<void>>();
  /** Aborts work that did not finish within the grace. */
  readonly #handBack = new AbortController();
  /** Ends heartbeats and sweeps after the last task. */
  readonly #end = new AbortController();
  /** Stops claiming: told from outside, or after an error that can't heal. */
  readonly #stop: AbortSignal;
  readonly #fatalStop = new AbortController();
  #fatal: unknown;
  #outage = false;

  constructor(options: WorkerOptions) {
    const { ctx, queue, unavailable } = options;
    this.#o = options;
    this.#stop = AbortSignal.any([options.stop, this.#fatalStop.signal]);
    this.#keeper = new LeaseKeeper(ctx);
    this.#skips = new SkipList(ctx, queue.rules.leaseMs);
    this.#availability = new Availability(ctx, queue.name, unavailable);
  }

  async run(): Promise<void> {
    this.#o.stopNow?.addEventListener("abort", () => this.#handBack.abort(new Error("stopped")), {
      once: true,
    });
    const beside = [this.#keeper.run(this.#end.signal), this.#sweeping()];
    try {
      await this.#polling();
      await this.#drain();
    } finally {
      this.#end.abort(new Error("the worker has ended"));
      await Promise.all(beside);
    }
    if (this.#fatal) throw this.#fatal;
  }

  async #polling(): Promise<void> {
    const { ctx } = this.#o;
    const stop = this.#stop;
    let empty = 0;
    while (!stop.aborted) {
      let pause: number;
      try {
        const claimed = await this.#round();
        empty = claimed > 0 ? 0 : empty + 1;
        pause = this.#pause(empty);
      } catch (error) {
        if (stop.aborted) break;
        pause = this.#afterError(error);
      }
      await this.#wake.orAfter(ctx.clock, pause, stop);
    }
  }

  /** One poll and the claims that follow from it; returns how many were won. */
  async #round(): Promise<number> {
    const { ctx, queue } = this.#o;
    const stop = this.#stop;
    let free = this.#availability.slots(this.#o.slots) - this.#running.size;
    if (free <= 0) return 0;
    const cards = await poll(ctx, queue, this.#skips, stop);
    this.#boardIsBack();
    let claimed = 0;
    for (const card of cards) {
      if (free <= 0 || stop.aborted) break;
      if (!(await this.#take(card))) continue;
      claimed += 1;
      free -= 1;
    }
    return claimed;
  }

  async #take(card: Task): Promise<boolean> {
    const { ctx, queue } = this.#o;
    // Not ended by `stop`: a claim whose answer is not awaited would be held by nobody until its lease is over.
    const result = await claim(ctx, queue, card);
    if (result.outcome !== "won") {
      this.#skips.add(card);
      return false;
    }
    const { held } = result;
    this.#keeper.add(held);
    const work = this.#work(held).finally(() => {
      this.#keeper.remove(held);
      this.#running.delete(work);
      this.#wake.now();
    });
    this.#running.add(work);
    return true;
  }

  /** Never rejects: whatever goes wrong with one task is its own outcome. */
  async #work(held: HeldClaim): Promise<void> {
    const { ctx } = this.#o;
    const signal = AbortSignal.any([held.lost.signal, this.#handBack.signal]);
    let outcome: ExecutorOutcome;
    try {
      outcome = await this.#execute(held, signal);
    } catch (error) {
      if (held.lost.signal.aborted) return;
      if (this.#handBack.signal.aborted) {
        await this.#safely(held, () =>
          finishReleased(ctx, held, "its worker was stopped", held.lost.signal),
        );
        return;
      }
      outcome = { kind: "failed", reason: `the executor broke: ${String(error)}` };
    }
    if (held.lost.signal.aborted) return;
    await this.#safely(held, () => this.#finish(held, outcome));
  }

  #execute(held: HeldClaim, signal: AbortSignal): Promise<ExecutorOutcome> {
    const { ctx, executor } = this.#o;
    const { task, comments, slot } = held;
    const agentIds = comments.flatMap(({ userId }) =>
      userId !== null && ctx.agents.isAgent(userId) ? [userId] : [],
    );
    return executor.run({ task, comments, agentIds, epoch: slot.n }, signal);
  }

  async #finish(held: HeldClaim, outcome: ExecutorOutcome): Promise<void> {
    const { ctx } = this.#o;
    const signal = held.lost.signal;
    const later = (seconds: number): { until: number } => ({
      until: Math.ceil(ctx.client.serverNow() / 1000) + seconds,
    });
    switch (outcome.kind) {
      case "done":
        this.#availability.resume();
        await finishDone(ctx, held, outcome.result, signal);
        return;
      case "failed":
        this.#availability.resume();
        await finishFailed(ctx, held, outcome.reason, signal);
        return;
      case "question":
        this.#availability.resume();
        await finishParked(ctx, held, { reason: outcome.reason, wait: { human: true } }, signal);
        return;
      case "unavailable":
      case "misconfigured": {
        const hint = outcome.kind === "unavailable" ? outcome.seconds : undefined;
        const seconds = this.#availability.park(outcome.reason, outcome.code, hint);
        const wait = later(seconds);
        await finishParked(ctx, held, { reason: outcome.reason, wait }, signal);
      }
    }
  }

  /** The board may be away just now: the lease runs out, the reaper does the rest, and the worker goes on. */
  async #safely(held: HeldClaim, finish: () => Promise<unknown>): Promise<void> {
    try {
      await finish();
    } catch (error) {
      if (held.lost.signal.aborted) return;
      this.#o.ctx.emit("task.unfinished", {
        task: held.task.id,
        epoch: held.slot.n,
        code: isFabricError(error) ? error.code : "unexpected",
        error: String(error),
      });
    }
  }

  async #drain(): Promise<void> {
    const { ctx, grace } = this.#o;
    if (this.#running.size === 0) return;
    const over = new AbortController();
    const all = Promise.all(this.#running).then(() => over.abort());
    try {
      await ctx.clock.sleep(grace, AbortSignal.any([over.signal, this.#handBack.signal]));
    } catch {
      // Finished, or told to hurry.
    }
    this.#handBack.abort(new Error("stopped"));
    await all;
  }

  async #sweeping(): Promise<void> {
    const { ctx, queue } = this.#o;
    const signal = this.#end.signal;
    const every = queue.rules.leaseMs / SWEEPS_PER_LEASE;
    while (!signal.aborted) {
      try {
        const own = new Set(this.#keeper.held.map((held) => held.task.id));
        await sweep(ctx, queue, this.#memory, { own, signal });
      } catch (error) {
        if (!signal.aborted) this.#afterError(error);
      }
      try {
        await ctx.clock.sleep(every * (0.75 + 0.5 * ctx.random.next()), signal);
      } catch {
        return;
      }
    }
  }

  #pause(empty: number): number {
    const { ctx, poll: pauses } = this.#o;
    const parked = this.#availability.pauseLeft();
    if (parked > 0) return parked;
    if (this.#running.size >= this.#o.slots) return pauses.idle;
    const grown = Math.min(pauses.busy * 2 ** Math.max(0, empty - 1), pauses.idle);
    return empty === 0 ? 0 : grown * (0.5 + ctx.random.next() * 0.5);
  }

  /** Says once that the board is away, and tries again with growing pauses. Errors that can't heal end the worker. */
  #afterError(error: unknown): number {
    const { ctx, queue, poll: pauses } = this.#o;
    if (!isFabricError(error) || isFinal(error)) {
      this.#fatal = error;
      this.#handBack.abort(new Error("stopped"));
      this.#fatalStop.abort(new Error("stopped"));
      return 0;
    }
    if (!this.#outage)
      ctx.emit("board.unreachable", { queue: queue.name, code: error.code, error: error.message });
    this.#outage = true;
    return Math.min(LONGEST_OUTAGE_PAUSE_MS, pauses.busy * 4) * (0.5 + ctx.random.next());
  }

  #boardIsBack(): void {
    if (this.#outage) this.#o.ctx.emit("board.back", { queue: this.#o.queue.name });
    this.#outage = false;
  }
}

function isFinal(error: FabricError): boolean {
  return (
    error.code === "KB_UNAUTHORIZED" ||
    error.code.startsWith("LEDGER_") ||
    error.code === "KB_FORBIDDEN"
  );
}
