// Brings a card to where the head of its log wants it, with the words that belong to it, in one request.
import type { CommentId, UserId } from "../ids.ts";
import { CLAIMABLE, type Slot } from "../ledger/index.ts";
import {
  type CardRecord,
  encodeCardRecord,
  encodeHint,
  FIELD,
  type Target,
} from "../projection/index.ts";
import { columnOf, type Queue, TAGS } from "../queue/index.ts";
import {
  createComment,
  getTaskTags,
  type Procedure,
  type Purpose,
  removeTaskMetadata,
  saveTaskMetadata,
  setTaskTags,
  type Task,
  updateComment,
} from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";
import { moveCard, type Moved } from "./move-card.ts";

export interface Showing {
  /** The card as it was last read. */
  task: Task;
  head: Slot;
  target: Target;
  /** Said on the card with the move; left out when it has been said already. */
  comment?: string | undefined;
  /** The record of the projection before this one; put back when a person was faster. */
  before: CardRecord | null;
  /** The lock comment, edited in place to say how the claim ended. */
  lock?: { id: CommentId; text: string } | undefined;
}

export async function showHead(
  ctx: FabricContext,
  queue: Queue,
  showing: Showing,
  purpose: Purpose,
  signal?: AbortSignal,
): Promise<Moved> {
  const { task, head, target, comment, lock } = showing;
  const to = columnOf(queue, target.role);
  const also: Procedure<unknown>[] = [
    saveTaskMetadata(task.id, {
      [FIELD.card]: encodeCardRecord({ n: head.n, columnId: to.id, dateMoved: task.dateMoved }),
      ...(CLAIMABLE.has(head.kind) ? { [FIELD.head]: encodeHint(head.key, head.n) } : {}),
    }),
  ];
  if (comment !== undefined) {
    also.push(createComment({ taskId: task.id, userId: ctx.me.userId, content: comment }));
  }
  if (head.kind === "u") {
    // Whoever wrote the slot may have died before it took the tag off, and nobody takes a blocked card.
    const tags = await ctx.client.call(getTaskTags(task.id), { purpose, signal });
    const kept = tags.filter((tag) => tag !== TAGS.blocked);
    if (kept.length < tags.length) also.push(setTaskTags(queue.project, task.id, kept));
  }
  if (target.tag !== undefined) {
    const wanted = TAGS[target.tag];
    const tags = await ctx.client.call(getTaskTags(task.id), { purpose, signal });
    if (!tags.includes(wanted)) {
      also.push(setTaskTags(queue.project, task.id, [...tags, wanted]));
    }
  }
  const owner = ownerFor(ctx, target, head);
  if (lock !== undefined) also.push(updateComment({ id: lock.id, content: lock.text }));
  const moved = await moveCard(
    ctx.client,
    queue,
    { expected: task, to, owner, also, purpose },
    signal,
  );
  if (moved.outcome === "disturbed") {
    ctx.emit("projection.disturbed", { task: task.id });
    await forget(ctx, task, showing.before, purpose, signal);
  }
  return moved;
}

/** The record went out with the move that was undone; left standing it would say that the head had been shown. */
export async function forget(
  ctx: FabricContext,
  task: Task,
  before: CardRecord | null,
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<void> {
  const write =
    before === null
      ? removeTaskMetadata(task.id, FIELD.card)
      : saveTaskMetadata(task.id, { [FIELD.card]: encodeCardRecord(before) });
  await ctx.client.call(write, { purpose, signal });
}

function ownerFor(ctx: FabricContext, target: Target, head: Slot): UserId | null | undefined {
  if (target.owner === "keep") return undefined;
  return target.owner === "nobody" ? null : ctx.agents.userOf(head.agent);
}
