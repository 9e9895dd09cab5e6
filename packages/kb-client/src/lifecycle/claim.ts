// Claims one card: the slot decides who has it, the board only shows it.
import { isFabricError } from "../errors.ts";
import type { CommentId, Nonce } from "../ids.ts";
import {
  encodePayload,
  emptyLog,
  isClaimable,
  logKey,
  next,
  NONCE_LENGTH,
  shardOf,
  type Slot,
  slotName,
  type TaskLog,
} from "../ledger/index.ts";
import {
  CLAIM_UNDONE,
  encodeCardRecord,
  FIELD,
  floorOf,
  headHint,
  lockComment,
  type Metadata,
} from "../projection/index.ts";
import { columnOf, type Queue } from "../queue/index.ts";
import {
  type Comment,
  createComment,
  createTag,
  getAllComments,
  getTask,
  getTaskMetadata,
  saveTaskMetadata,
  type Task,
} from "../rpc/index.ts";
import { append, type WrittenSlot } from "./append.ts";
import { beatNow, elapsed, type FabricContext, instant } from "./context.ts";
import { applyGesture, placeOf } from "./apply-gesture.ts";
import type { HeldClaim } from "./held-claim.ts";
import { moveCard, type Moved } from "./move-card.ts";
import { readLog } from "./read-log.ts";
import { reconcileCard } from "./reconcile-card.ts";

export type ClaimResult =
  | { outcome: "won"; held: HeldClaim }
  /** Another process holds it, or its log says that it is not for the taking. */
  | { outcome: "lost"; head: Slot | null }
  /** Won, but a person had moved, closed or assigned the card: their wish stands, the claim is undone. */
  | { outcome: "withdrawn"; task: Task }
  /** The card no longer exists. */
  | { outcome: "gone" };

/**
 * Two HTTP requests when nothing contends: the slot, then the projection.
 * @param card as polled: open, unassigned and in Ready
 * @param nonce given by a caller that has written it down first, to find a claim again whose reply it never saw
 */
export async function claim(
  ctx: FabricContext,
  queue: Queue,
  card: Task,
  signal?: AbortSignal,
  nonce: Nonce = ctx.random.base36(NONCE_LENGTH) as Nonce,
): Promise<ClaimResult> {
  const sentAt = instant(ctx.clock);
  const won = await takeSlot(ctx, card, nonce, signal);
  if (won.outcome !== "written") {
    ctx.emit("task.claim_lost", { task: card.id, head: won.head?.kind ?? null });
    return { outcome: won.outcome === "gone" ? "gone" : "lost", head: won.head };
  }
  const { slot, log } = won;
  const showed = await showClaim(ctx, queue, card, { slot, log }, signal);
  if (showed.outcome === "gone") return { outcome: "gone" };
  if (showed.outcome === "disturbed") {
    const place = placeOf(queue, showed.task);
    await applyGesture(
      ctx,
      queue,
      { task: showed.task, log, place, row: CLAIM_UNDONE[place] },
      signal,
    );
    ctx.emit("task.claim_withdrawn", { task: card.id, epoch: slot.n });
    return { outcome: "withdrawn", task: showed.task };
  }
  const { comment, comments } = showed;
  ctx.emit("task.claimed", { task: card.id, queue: queue.name, epoch: slot.n, nonce: slot.nonce });
  return {
    outcome: "won",
    held: {
      queue,
      task: showed.task,
      comments: comments.filter((candidate) => candidate.id !== comment),
      slot,
      log,
      lockComment: comment,
      confirmedAt: sentAt,
      lost: new AbortController(),
    },
  };
}

type TakenSlot =
  | { outcome: "written"; slot: WrittenSlot; log: TaskLog }
  | { outcome: "lost" | "gone"; head: Slot | null };

/**
 * Tries slot 1 blindly together with the read of the card's metadata: for a fresh card that is the whole claim. Only
 * a card with a past needs its hint, and only a stale hint needs the shard.
 */
async function takeSlot(
  ctx: FabricContext,
  card: Task,
  nonce: Nonce,
  signal: AbortSignal | undefined,
): Promise<TakenSlot> {
  const command = { type: "claim", agent: ctx.me.agent, nonce, beat: beatNow(ctx) } as const;
  const fresh = emptyLog(logKey(card));
  const first = next(fresh, command);
  if (!first.ok) throw new Error("an empty log is claimable");
  let metadata: Metadata | null = null;
  try {
    const [stored, tag] = await ctx.client.batch(
      [
        getTaskMetadata(card.id),
        createTag(
          shardOf(ctx.ledger, card.id),
          slotName(first.slot.key, first.slot.n),
          encodePayload(first.slot),
        ),
      ],
      { purpose: "claim", signal },
    );
    if (!stored.ok) throw stored.error;
    if (!tag.ok) throw tag.error;
    metadata = stored.value;
    if (tag.value !== null && floorOf(metadata) === 0) {
      const slot = { ...first.slot, tagId: tag.value };
      return { outcome: "written", slot, log: { ...fresh, slots: [slot], head: slot } };
    }
  } catch (error) {
    if (isFabricError(error, "KB_FORBIDDEN")) return { outcome: "gone", head: null };
    if (!isFabricError(error) || error.retryable === "no" || signal?.aborted) throw error;
  }
  const hint = metadata ? headHint(metadata, fresh.key) : null;
  if (metadata && hint !== null && hint > floorOf(metadata)) {
    const guess = { ...first.slot, n: (hint + 1) as Slot["n"] };
    const appended = await append(ctx, card, guess, { purpose: "claim", signal });
    if (appended.outcome === "written") {
      const { slot } = appended;
      return { outcome: "written", slot, log: { ...fresh, slots: [slot], head: slot } };
    }
  }
  return takeFromLog(ctx, card, command, signal);
}

async function takeFromLog(
  ctx: FabricContext,
  card: Task,
  command: { type: "claim"; agent: string; nonce: Nonce; beat: number },
  signal: AbortSignal | undefined,
): Promise<TakenSlot> {
  const { log } = await readLog(ctx, card, "claim", signal);
  const own = log.head;
  if (own?.kind === "c" && own.nonce === command.nonce && own.tagId !== undefined) {
    return { outcome: "written", slot: { ...own, tagId: own.tagId }, log };
  }
  if (log.damaged) {
    ctx.emit("ledger.damaged", { task: card.id, head: log.head?.n ?? 0 });
    return { outcome: "lost", head: log.head };
  }
  const planned = isClaimable(log) ? next(log, command) : null;
  if (!planned?.ok) return { outcome: "lost", head: log.head };
  const appended = await append(ctx, card, planned.slot, { purpose: "claim", signal });
  if (appended.outcome === "lost") return { outcome: "lost", head: appended.log.head };
  const { slot } = appended;
  return { outcome: "written", slot, log: { ...log, slots: [...log.slots, slot], head: slot } };
}

const FIRST_PAUSE_MS = 100;

type Shown =
  | { outcome: "moved"; task: Task; comment: CommentId | null; comments: readonly Comment[] }
  | Exclude<Moved, { outcome: "moved" }>;

/** Moves the card to Work in progress and reads everything the work needs, in one request. */
async function showClaim(
  ctx: FabricContext,
  queue: Queue,
  card: Task,
  claimed: { slot: WrittenSlot; log: TaskLog },
  signal: AbortSignal | undefined,
): Promise<Shown> {
  const { slot } = claimed;
  const to = columnOf(queue, "wip");
  const ref = { epoch: slot.n, nonce: slot.nonce };
  const at = new Date(ctx.client.serverNow());
  const record = { n: slot.n, columnId: to.id, dateMoved: card.dateMoved };
  const content = lockComment(ctx.me.agent, at, ref);
  try {
    const moved = await moveCard(
      ctx.client,
      queue,
      {
        expected: card,
        to,
        owner: ctx.me.userId,
        also: [
          createComment({ taskId: card.id, userId: ctx.me.userId, content }),
          saveTaskMetadata(card.id, { [FIELD.card]: encodeCardRecord(record) }),
          getAllComments(card.id),
        ],
        purpose: "projection",
      },
      signal,
    );
    if (moved.outcome !== "moved") return moved;
    const [comment, , comments] = moved.results as [CommentId | null, boolean, Comment[]];
    return { outcome: "moved", task: moved.task, comment, comments };
  } catch (error) {
    if (!isFabricError(error) || error.retryable === "no" || signal?.aborted) throw error;
    return insist(ctx, queue, card, claimed, signal);
  }
}

/** A claim that was won is not thrown away over a busy board: it would be nobody's until its lease is over. */
async function insist(
  ctx: FabricContext,
  queue: Queue,
  card: Task,
  claimed: { slot: WrittenSlot; log: TaskLog },
  signal: AbortSignal | undefined,
): Promise<Shown> {
  const started = instant(ctx.clock);
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    try {
      return await showAgain(ctx, queue, card, claimed, signal);
    } catch (error) {
      const late = elapsed(ctx.clock, started) + pause > queue.rules.leaseMs / 2;
      if (!isFabricError(error) || error.retryable === "no" || signal?.aborted || late) throw error;
    }
    await ctx.clock.sleep(pause * (0.5 + ctx.random.next()), signal);
  }
}

/** The reply of the move was lost: what arrived is read back, and what is missing is done by the repair. */
async function showAgain(
  ctx: FabricContext,
  queue: Queue,
  card: Task,
  claimed: { slot: WrittenSlot; log: TaskLog },
  signal: AbortSignal | undefined,
): Promise<Shown> {
  const { metadata, log } = await readLog(ctx, card, "projection", signal);
  const task = await ctx.client.call(getTask(card.id), { purpose: "projection", signal });
  if (task === null) return { outcome: "gone" };
  if (log.head?.n !== claimed.slot.n) return { outcome: "disturbed", task };
  const repaired = await reconcileCard(ctx, queue, { task, log, metadata }, "projection", signal);
  if (repaired.outcome === "gone") return { outcome: "gone" };
  if (repaired.outcome === "gesture" || repaired.outcome === "again") {
    return { outcome: "disturbed", task };
  }
  const comments = await ctx.client.call(getAllComments(card.id), {
    purpose: "projection",
    signal,
  });
  const own = comments.find(
    (comment) => comment.text.startsWith("🔒") && comment.text.includes(claimed.slot.nonce),
  );
  return { outcome: "moved", task, comment: own?.id ?? null, comments };
}
