// The small reaper and reconciler beside the claim loop: any worker can do it for the whole queue, and none must.
import {
  type FabricContext,
  type LeaseKeeper,
  type Queue,
  sweep,
  SweepMemory,
} from "@agap/kb-client";

/** Sweeps per lease: an expired claim is found within a quarter of it. */
const SWEEPS_PER_LEASE = 4;

export interface Sweeping {
  ctx: FabricContext;
  queue: Queue;
  keeper: LeaseKeeper;
  /** Returns the milliseconds to wait before the next try. */
  onError(error: unknown): Promise<number>;
  onSuccess(): void;
}

/** Runs until the signal aborts; never rejects as long as `onError` does not. */
export async function sweepRegularly(sweeping: Sweeping, signal: AbortSignal): Promise<void> {
  const { ctx, queue, keeper } = sweeping;
  const memory = new SweepMemory();
  const every = queue.rules.leaseMs / SWEEPS_PER_LEASE;
  while (!signal.aborted) {
    let pause = every * (0.75 + 0.5 * ctx.random.next());
    try {
      const own = new Set(keeper.held.map((held) => held.task.id));
      await sweep(ctx, queue, memory, { own, signal });
      sweeping.onSuccess();
    } catch (error) {
      if (signal.aborted) return;
      pause = Math.max(pause, await sweeping.onError(error));
    }
    await ctx.clock.sleep(pause, signal).catch(() => undefined);
  }
}
