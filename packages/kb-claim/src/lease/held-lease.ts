// Turns a lease file into the claim that the protocol's steps act under, and back.
import type { HeldClaim, Queue, Slot, TagId, TaskLog } from "@agap/kb-client";
import type { Door } from "../door/door.ts";
import type { HeldLease, LeaseFile } from "./lease-file.ts";
import { instantOf, stampOf } from "./lease-time.ts";

/** @param slot the claim as the ledger shows it now */
export function claimOf(
  door: Door,
  queue: Queue,
  lease: LeaseFile,
  found: { slot: Slot; log: TaskLog },
): HeldClaim {
  const { slot, log } = found;
  return {
    queue,
    task: lease.task,
    comments: [],
    slot: { ...slot, tagId: slot.tagId as TagId },
    log,
    lockComment: lease.state === "held" ? lease.lockComment : null,
    confirmedAt: instantOf(door, lease.sentAt),
    lost: new AbortController(),
  };
}

export function leaseOf(door: Door, held: HeldClaim, session: string): HeldLease {
  const { queue, task, slot } = held;
  return {
    v: 1,
    state: "held",
    queue: queue.name,
    task,
    key: slot.key,
    nonce: slot.nonce,
    agent: door.agent,
    session,
    sentAt: stampOf(door, held.confirmedAt),
    epoch: slot.n,
    tagId: slot.tagId,
    beat: slot.beat,
    lockComment: held.lockComment,
  };
}
