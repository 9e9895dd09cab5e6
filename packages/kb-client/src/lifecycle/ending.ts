// What every way of ending a claim shares: the outcome, the fence, and the card that follows the slot.
import { isFabricError } from "../errors.ts";
import type { Slot, TaskLog } from "../ledger/index.ts";
import { lockEnded, targetOf, type Wait } from "../projection/index.ts";
import type { Task } from "../rpc/index.ts";
import { beatNow, type FabricContext } from "./context.ts";
import { claimRef, type HeldClaim } from "./held-claim.ts";
import { showHead } from "./show-head.ts";

export type Finished =
  | { outcome: "done" | "failed" | "dead-letter" | "parked" | "released"; slot: Slot }
  /** The claim had ended before; `head` is what stands in the log. Nothing of this work counts. */
  | { outcome: "fenced"; head: Slot | null }
  /** The card was deleted, or this account may not touch it any more; nothing was written. */
  | { outcome: "gone" };

export type Fenced = Extract<Finished, { outcome: "fenced" }>;

export function signedBy(ctx: FabricContext): { agent: string; beat: number } {
  return { agent: ctx.me.agent, beat: beatNow(ctx) };
}

export function grown(log: TaskLog, slot: Slot): TaskLog & { head: Slot } {
  return { ...log, slots: [...log.slots, slot], head: slot };
}

export function fenced(ctx: FabricContext, held: HeldClaim, log: TaskLog): Fenced {
  ctx.emit("write.fenced", {
    task: held.task.id,
    epoch: held.slot.n,
    head: log.head?.kind ?? null,
    by: log.head?.agent ?? null,
  });
  return { outcome: "fenced", head: log.head };
}

export interface CardWords {
  comment?: string;
  /** Told in the lock comment. */
  how: string;
  wait: Wait | null;
}

/**
 * The card follows the slot. It is only the projection: when the board can't be reached now, or a person was faster,
 * the next sweep of any worker brings it about, so this never fails.
 */
export async function showEnding(
  ctx: FabricContext,
  held: HeldClaim,
  head: Slot,
  words: CardWords,
  signal?: AbortSignal,
): Promise<void> {
  const target = targetOf(head, words.wait);
  if (target === null) return;
  const at = new Date(ctx.client.serverNow());
  const { lockComment: id } = held;
  const lock =
    id === null ? undefined : { id, text: lockEnded(ctx.me.agent, at, claimRef(held), words.how) };
  try {
    const task = inProgress(ctx, held);
    const { columnId, dateMoved } = task;
    const before = { n: held.slot.n, columnId, dateMoved };
    const showing = { task, head, target, before, comment: words.comment, lock };
    await showHead(ctx, held.queue, showing, "projection", signal);
  } catch (error) {
    if (!isFabricError(error) && !signal?.aborted) throw error;
    ctx.emit("projection.disturbed", {
      task: held.task.id,
      code: isFabricError(error) ? error.code : "aborted",
    });
  }
}

/** The card as this worker's own claim left it. */
function inProgress(ctx: FabricContext, held: HeldClaim): Task {
  return {
    ...held.task,
    columnId: held.queue.columns.wip.id,
    ownerId: ctx.me.userId,
    isActive: true,
  };
}

/** 403 on a card of ours: deleted, or taken out of this account's reach. */
export async function unlessGone(work: () => Promise<Finished>): Promise<Finished> {
  try {
    return await work();
  } catch (error) {
    if (isFabricError(error, "KB_FORBIDDEN")) return { outcome: "gone" };
    throw error;
  }
}
