// Puts a worker together from its settings and runs it until it is told to stop.
import type { OpenOptions } from "@agap/fabric";
import { type Clock, HttpTransport, type Random } from "@agap/kb-client";
import type { Logger } from "pino";
import { executorOf } from "./executor-of.ts";
import { sinkOf } from "./log.ts";
import { open, openPatiently } from "./open-patiently.ts";
import type { Settings } from "./settings.ts";
import { runWorker } from "./worker.ts";

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

/** @throws FabricError that a person must look at */
export async function start(
  settings: Settings,
  ports: Ports,
  stops: Stops,
  log: Logger,
): Promise<void> {
  const { agent: username, token, board, queue: config } = settings;
  const { stop, now: stopNow } = stops;
  const executor = executorOf(config, settings.litellm, ports);
  const transport = new HttpTransport({ url: board.url, auth: { kind: "user", username, token } });
  const opening: OpenOptions = { transport, board, ...ports, emit: sinkOf(log) };
  try {
    const opened = await openPatiently({ ...opening, signal: stop }, config);
    if (opened === null) return;
    const { ctx, queue } = opened;
    const started = { pid: process.pid, project: queue.project, board: board.url };
    log.info({ event: "worker.started", ...started });
    const { slots, poll, unavailable, grace } = config;
    const verify = async (signal: AbortSignal): Promise<void> => {
      await open({ ...opening, signal }, config);
    };
    await runWorker({
      ctx,
      queue,
      executor,
      slots,
      poll,
      unavailable,
      grace,
      stop,
      stopNow,
      verify,
    });
  } finally {
    transport.close();
  }
  log.info({ event: "worker.stopped" });
}
