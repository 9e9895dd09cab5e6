// How a claim stands, judged from one reading of its card and its log: still ours, ended, or ended by ourselves. Reads
// only: who finds the claim gone has written nothing.
import {
  cardRecord,
  type FabricContext,
  isFabricError,
  KINDS,
  type Metadata,
  placeOf,
  type Queue,
  type Slot,
  type Task,
  type TaskLog,
} from "@agap/kb-client";
import type { LeaseFile } from "./lease-file.ts";

export type Standing =
  /** `slot` is the claim, the head of its log. */
  | { is: "held"; slot: Slot }
  /** This very claim was ended by us before: the reply of that command was lost. */
  | { is: "ended"; by: Slot }
  /** The claim was written down but never arrived at the board. */
  | { is: "never" }
  | { is: "lost"; why: string };

export interface CardReading {
  /** Null for a deleted card. */
  task: Task | null;
  log: TaskLog;
  metadata: Metadata;
}

export function standingOf(
  ctx: FabricContext,
  queue: Queue,
  lease: LeaseFile,
  { task, log, metadata }: CardReading,
): Standing {
  if (task === null || task.dateCreation !== lease.task.dateCreation) {
    return { is: "lost", why: "its card was deleted" };
  }
  const own = log.slots.find((slot) => slot.kind === "c" && slot.nonce === lease.nonce);
  if (!own) {
    return lease.state === "intended"
      ? { is: "never" }
      : { is: "lost", why: "its entry is gone from the ledger" };
  }
  const { head } = log;
  if (head === null || head.n > own.n) {
    const ending = log.slots.find((slot) => slot.n === own.n + 1);
    const byUs = ending?.nonce === own.nonce && ending.agent === lease.agent && ending.kind !== "x";
    if (ending && byUs) return { is: "ended", by: ending };
    return { is: "lost", why: endedBy(ending ?? head) };
  }
  const hand = personsHand(ctx, queue, task, metadata, own);
  return hand === null ? { is: "held", slot: own } : { is: "lost", why: hand };
}

function endedBy(slot: Slot | null): string {
  if (slot === null) return "its log was collected";
  const what = slot.kind === "h" ? "taken over by a person" : KINDS[slot.kind];
  return `${what} (epoch ${slot.n}, recorded by ${slot.agent})`;
}

/**
 * What a person did to the card and no sweep has recorded yet. A column that changed without `date_moved` is a jump
 * of Kanboard's own, which is put back and ends nothing.
 */
function personsHand(
  ctx: FabricContext,
  queue: Queue,
  task: Task,
  metadata: Metadata,
  claim: Slot,
): string | null {
  const place = placeOf(queue, task);
  if (place === "closed") return "its card was closed: the task is canceled";
  if (place === "elsewhere") return "its card was moved to another project";
  const record = cardRecord(metadata);
  const shown = record?.n === claim.n;
  if (shown && task.columnId !== record.columnId && task.dateMoved !== record.dateMoved) {
    return "a person moved its card to another column";
  }
  const foreign = task.ownerId !== null && task.ownerId !== ctx.me.userId;
  return shown && foreign ? "its card was assigned to somebody else" : null;
}

/** With a user's token the request for a deleted card answers 403, as does one moved out of this account's reach. */
export function isOutOfReach(error: unknown): boolean {
  return isFabricError(error, "KB_FORBIDDEN");
}
