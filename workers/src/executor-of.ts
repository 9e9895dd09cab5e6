// The executor that a queue's YAML asks for.
import type { QueueConfig } from "@agap/fabric";
import type { Clock } from "@agap/kb-client";
import type { Executor } from "./executor.ts";
import { inThread } from "./executors/in-thread.ts";
import { noop } from "./executors/noop.ts";

export function executorOf(
  queue: QueueConfig,
  door: { url: string; key: string },
  ports: { clock: Clock },
): Executor {
  const { executor } = queue;
  if (executor.kind === "noop") return noop;
  const { kind: _kind, ...settings } = executor;
  return inThread({ ...settings, door, queue: queue.queue }, ports);
}
