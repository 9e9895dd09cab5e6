// Moves a new card from another intake column to Ready, where only what may be claimed now lies.
import type { Queue } from "../queue/index.ts";
import type { Task } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";
import { moveCard } from "./move-card.ts";

/** One request; a person who touches the card at that moment is faster. */
export async function admit(
  ctx: FabricContext,
  queue: Queue,
  card: Task,
  signal?: AbortSignal,
): Promise<void> {
  const to = queue.columns.ready;
  const move = { expected: card, to, owner: undefined, also: [], purpose: "sweep" } as const;
  const moved = await moveCard(ctx.client, queue, move, signal);
  if (moved.outcome === "moved") ctx.emit("task.promoted", { task: card.id, queue: queue.name });
}
