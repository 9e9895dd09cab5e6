// The executor that a queue's YAML asks for.
import type { QueueConfig } from "@agap/fabric";
import type { Clock } from "@agap/kb-client";
import type { ModelDoor } from "@agap/model-plane";
import type { Executor } from "./executor.ts";
import { llm } from "./executors/llm.ts";
import { noop } from "./executors/noop.ts";

/** @param door asked for only where the executor calls a model */
export function executorOf(
  { executor }: QueueConfig,
  door: () => ModelDoor,
  ports: { clock: Clock },
): Executor {
  if (executor.kind === "noop") return noop;
  const { kind: _kind, ...settings } = executor;
  return llm({ ...settings, door: door() }, ports);
}
