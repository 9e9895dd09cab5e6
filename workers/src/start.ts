// Opens board and queue, waiting for a board that is not there yet, and runs the loop until it is told to stop.
import { openFabric, openQueue, rulesOf } from "@agap/fabric";
import {
  type Clock,
  type FabricContext,
  HttpTransport,
  isFabricError,
  type Queue,
  type Random,
} from "@agap/kb-client";
import type { Logger } from "pino";
import { executorOf } from "./executor-of.ts";
import { sinkOf } from "./log.ts";
import type { Settings } from "./settings.ts";
import { runWorker } from "./worker.ts";

/** Running work has this long after the first signal. */
const GRACE_MS = 20_000;
const LONGEST_WAIT_MS = 30_000;

export interface Ports {
  clock: Clock;
  random: Random;
}

export interface Stops {
  /** No more claims. */
  stop: AbortSignal;
  /** Everything back at once. */
  now: AbortSignal;
}

export async function start(
  settings: Settings,
  ports: Ports,
  stops: Stops,
  log: Logger,
): Promise<void> {
  const { agent: username, token, board, queue: config } = settings;
  const transport = new HttpTransport({ url: board.url, auth: { kind: "user", username, token } });
  try {
    const opened = await openPatiently(settings, transport, ports, stops, log);
    if (opened === null) return;
    const { ctx, queue } = opened;
    log.info({
      event: "worker.started",
      pid: process.pid,
      project: queue.project,
      board: board.url,
    });
    await runWorker({
      ctx,
      queue,
      executor: executorOf(config, settings.litellm, ports),
      slots: config.slots,
      poll: config.poll,
      unavailable: config.unavailable,
      grace: GRACE_MS,
      stop: stops.stop,
      stopNow: stops.now,
    });
    log.info({ event: "worker.stopped" });
  } finally {
    transport.close();
  }
}

/** A board that is down at the start is waited for; null when the worker was stopped meanwhile. */
async function openPatiently(
  settings: Settings,
  transport: HttpTransport,
  { clock, random }: Ports,
  { stop }: Stops,
  log: Logger,
): Promise<{ ctx: FabricContext; queue: Queue } | null> {
  const { board, queue: config } = settings;
  const emit = sinkOf(log);
  let pause = 500;
  let said = false;
  while (!stop.aborted) {
    try {
      const ctx = await openFabric({ transport, board, clock, random, emit, signal: stop });
      const queue = await openQueue(ctx, board, config.queue, rulesOf(config), stop);
      if (said) emit("board.back", { queue: config.queue });
      return { ctx, queue };
    } catch (error) {
      if (stop.aborted) return null;
      if (!isFabricError(error) || error.retryable === "no") throw error;
      if (!said)
        emit("board.unreachable", { queue: config.queue, code: error.code, error: error.message });
      said = true;
    }
    await clock.sleep(pause * (0.5 + random.next()), stop).catch(() => undefined);
    pause = Math.min(pause * 2, LONGEST_WAIT_MS);
  }
  return null;
}
