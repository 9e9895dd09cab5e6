// Says once on a card why no worker will take it, and what to do about that.
import { isFabricError } from "../errors.ts";
import type { TaskId } from "../ids.ts";
import type { TaskLog } from "../ledger/index.ts";
import { FIELD, type Metadata, stateOf, whyComment } from "../projection/index.ts";
import { type Queue, roleOf } from "../queue/index.ts";
import { createComment, saveTaskMetadata, type Task } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";

export type WhyNot = "not-in-ready" | "assigned" | "blocked" | "no-score";

/** Made by hand where no agent looks, and not dragged there on purpose. */
export function isFresh(card: Task): boolean {
  return card.reference === "" && card.dateMoved === card.dateCreation;
}

/** Null where nothing stands in the way, or the card is none of the agents' business. */
export function whyNot(
  queue: Queue,
  card: Task,
  log: TaskLog | undefined,
  blocked: ReadonlySet<TaskId>,
): WhyNot | null {
  if (!card.isActive || stateOf(log?.head?.kind) !== "waiting") return null;
  switch (roleOf(queue, card.columnId)) {
    case "ready":
      if (card.ownerId !== null) return "assigned";
      return blocked.has(card.id) ? "blocked" : null;
    case "backlog":
      return log?.head || !isFresh(card) ? null : "not-in-ready";
    default:
      return null;
  }
}

export function sentence(queue: Queue, why: WhyNot): string {
  const ready = queue.columns.ready.title;
  switch (why) {
    case "not-in-ready":
      return `Agents take cards from **${ready}**. Drag this one there when it may be done.`;
    case "assigned":
      return `Agents take only unassigned cards: set the assignee to nobody, or leave it to do it yourself.`;
    case "blocked":
      return `Tagged \`blocked\`: agents take it once the tag is removed.`;
    case "no-score":
      return `This queue needs a score (complexity) to choose a model: set one, then drag the card to **${ready}**.`;
  }
}

/** One request where there is something new to say. */
export async function explain(
  ctx: FabricContext,
  queue: Queue,
  seen: { task: Task; metadata: Metadata; why: WhyNot },
  signal?: AbortSignal,
): Promise<boolean> {
  const { task, metadata, why } = seen;
  if (metadata[FIELD.why] === why) return false;
  const content = whyComment(sentence(queue, why));
  try {
    await ctx.client.batch(
      [
        saveTaskMetadata(task.id, { [FIELD.why]: why }),
        createComment({ taskId: task.id, userId: ctx.me.userId, content }),
      ],
      { purpose: "sweep", signal },
    );
  } catch (error) {
    // A lost reply costs at most a repeated or a missing explanation; the card itself is not touched.
    if (!isFabricError(error)) throw error;
    return false;
  }
  ctx.emit("task.explained", { task: task.id, queue: queue.name, why });
  return true;
}
