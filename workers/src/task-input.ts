// What an executor is told of a card: its text, what people said on it, and what it points at.
import type { FabricContext, HeldClaim } from "@agap/kb-client";
import { resolveRefs } from "./context-refs.ts";
import type { TaskInput } from "./executor.ts";

/** @throws FabricError when the board can't be read */
export async function taskInput(
  ctx: Pick<FabricContext, "agents" | "client">,
  held: HeldClaim,
  signal: AbortSignal,
): Promise<TaskInput> {
  const { task, comments, slot, queue } = held;
  // Agents comment on their own doings only; a model should not read those as wishes.
  const people = comments.filter(({ userId }) => userId !== null && !ctx.agents.isAgent(userId));
  return {
    taskId: task.id,
    queue: queue.name,
    epoch: slot.n,
    title: task.title,
    description: task.description,
    refs: await resolveRefs(ctx, held, signal),
    comments: people.map(({ username, text }) => ({ by: username ?? "somebody", text })),
  };
}
