// Resolves what a card's text points at, so that nothing has to be pasted by value. Today `#123` is resolved, a card of
// the same queue; other references stay in the text as they are.
import {
  type FabricContext,
  getAllComments,
  type HeldClaim,
  searchTasks,
  type Task,
  type TaskId,
} from "@agap/kb-client";

export interface ResolvedRef {
  /** As it stands in the text, such as "#123". */
  ref: string;
  title: string;
  /** Description and result, cut. */
  text: string;
}

/** A card that points at the whole board would drown its own text. */
const MAX_REFS = 5;
const MAX_TEXT = 4000;

/** Not inside a word, an address or an HTML entity. */
const CARD = /(?<![\w&/#])#(\d{1,9})\b/g;

export function cardRefs(text: string, own: TaskId): TaskId[] {
  const ids = Array.from(text.matchAll(CARD), (match) => Number(match[1]) as TaskId);
  return [...new Set(ids)].filter((id) => id !== own && id > 0).slice(0, MAX_REFS);
}

/**
 * Two HTTP requests where the text points at cards, none else. A card of another queue is not read: what an agent may
 * see elsewhere is not for its task's text to decide.
 * @throws FabricError when the board can't be read
 */
export async function resolveRefs(
  ctx: Pick<FabricContext, "client">,
  { task, queue }: Pick<HeldClaim, "task" | "queue">,
  signal: AbortSignal,
): Promise<ResolvedRef[]> {
  const ids = cardRefs(`${task.title}\n${task.description}`, task.id);
  if (ids.length === 0) return [];
  const options = { purpose: "read", signal } as const;
  const query = ids.map((id) => `id:${id}`).join(" ");
  const found = await ctx.client.call(searchTasks(queue.project, query), options);
  const cards = ids.flatMap((id) => found.filter((card) => card.id === id));
  const comments = await ctx.client.batch(
    cards.map((card) => getAllComments(card.id)),
    options,
  );
  return cards.map((card, i) => {
    const reply = comments[i];
    const result = reply?.ok
      ? reply.value.findLast(({ text }) => text.startsWith("✅"))
      : undefined;
    return { ref: `#${card.id}`, title: card.title, text: textOf(card, result?.text) };
  });
}

function textOf(card: Task, result: string | undefined): string {
  const parts = [card.description, ...(result === undefined ? [] : [`Its result:\n\n${result}`])];
  const text = parts.filter((part) => part.trim() !== "").join("\n\n");
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} …`;
}
