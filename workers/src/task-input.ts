// What an executor is told of a card. Context references in the text are resolved here, before the work begins; today
// the text and what people said on the card are all there is.
import type { FabricContext, HeldClaim } from "@agap/kb-client";
import type { TaskInput } from "./executor.ts";

export function taskInput(ctx: Pick<FabricContext, "agents">, held: HeldClaim): TaskInput {
  const { task, comments, slot, queue } = held;
  // Agents comment on their own doings only; a model should not read those as wishes.
  const people = comments.filter(({ userId }) => userId !== null && !ctx.agents.isAgent(userId));
  return {
    taskId: task.id,
    queue: queue.name,
    epoch: slot.n,
    title: task.title,
    description: task.description,
    comments: people.map(({ username, text }) => ({ by: username ?? "somebody", text })),
  };
}
