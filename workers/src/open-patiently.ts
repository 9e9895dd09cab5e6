// Opens board, ledger and queue, waiting for a board that is not there yet.
import { openFabric, type OpenOptions, openQueue, type QueueConfig, rulesOf } from "@agap/fabric";
import { type FabricContext, isFabricError, type Queue } from "@agap/kb-client";
import { Outage } from "./outage.ts";

export interface Opened {
  ctx: FabricContext;
  queue: Queue;
}

/** @throws FabricError as `openFabric` and `openQueue` */
export async function open(options: OpenOptions, config: QueueConfig): Promise<Opened> {
  const { board, signal } = options;
  const ctx = await openFabric(options);
  const queue = await openQueue(ctx, board, config.queue, rulesOf(config), signal);
  return { ctx, queue };
}

/**
 * @returns null when the worker was stopped meanwhile
 * @throws FabricError that waiting can't heal
 */
export async function openPatiently(
  options: OpenOptions & { signal: AbortSignal },
  config: QueueConfig,
): Promise<Opened | null> {
  const { clock, signal } = options;
  const outage = new Outage(options, config.queue);
  while (!signal.aborted) {
    let pause: number;
    try {
      const opened = await open(options, config);
      outage.over();
      return opened;
    } catch (error) {
      if (signal.aborted) return null;
      if (!isFabricError(error) || error.retryable === "no") throw error;
      pause = outage.met(error);
    }
    await clock.sleep(pause, signal).catch(() => undefined);
  }
  return null;
}
