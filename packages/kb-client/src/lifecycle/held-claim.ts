// A claim that this process holds: what it was won with, and the signal that ends all work done under it.
import type { CommentId } from "../ids.ts";
import type { ClaimRef, TaskLog } from "../ledger/index.ts";
import type { Queue } from "../queue/index.ts";
import type { Comment, Task } from "../rpc/index.ts";
import type { WrittenSlot } from "./append.ts";
import { elapsed, type FabricContext, type Instant } from "./context.ts";

/** A worker without a confirmed heartbeat for this part of the lease stops by itself, before any reaper may act. */
export const SELF_ABORT_SHARE = 0.75;

export interface HeldClaim {
  queue: Queue;
  /** The card as it was when the work began. */
  task: Task;
  /** Everything said on the card until then. */
  comments: readonly Comment[];
  slot: WrittenSlot;
  /** The log up to and with the claim, as far as this process has seen it. */
  log: TaskLog;
  lockComment: CommentId | null;
  /** When the last confirmed heartbeat (or the claim itself) was *sent*. */
  confirmedAt: Instant;
  /** Aborts when the lease is lost; its reason says how. */
  lost: AbortController;
}

export function claimRef(held: HeldClaim): ClaimRef {
  return { epoch: held.slot.n, nonce: held.slot.nonce };
}

/** Milliseconds until the holder must stop unless a heartbeat is confirmed; zero or less means now. */
export function timeLeft(ctx: FabricContext, held: HeldClaim): number {
  return SELF_ABORT_SHARE * held.queue.rules.leaseMs - elapsed(ctx.clock, held.confirmedAt);
}
