// A claim that was written down but whose answer was never seen: the ledger says whether it was won.
import { type Comment, getAllComments, reconcileCard } from "@agap/kb-client";
import type { Door } from "../door/door.ts";
import { claimOf, leaseOf } from "./held-lease.ts";
import type { HeldLease, IntendedLease } from "./lease-file.ts";
import { readLease } from "./open-lease.ts";
import { standingOf } from "./standing.ts";
import { sinceStamp } from "./boot-clock.ts";
import { markLost, MAY_STILL_ARRIVE_MS } from "./open-lease.ts";

export interface Recovered {
  lease: HeldLease;
  comments: readonly Comment[];
  recovered: true;
}

/** Null when it was not won, or has ended since; the file follows. */
export async function recover(door: Door, intended: IntendedLease): Promise<Recovered | null> {
  const opened = await readLease(door, intended);
  if (!opened.ok) return null;
  const { ctx, queue, reading } = opened;
  const standing = standingOf(ctx, queue, intended, reading);
  if (standing.is !== "held") {
    if (standing.is === "lost") await markLost(door, intended, standing.why);
    const isOver = sinceStamp(intended.sentAt, door.clock.now(), door.boot) > MAY_STILL_ARRIVE_MS;
    if (standing.is === "ended" || (standing.is === "never" && isOver)) {
      await door.leases.remove(intended);
    }
    return null;
  }
  const { task, log, metadata } = reading;
  if (task === null) return null;
  const options = { purpose: "projection", signal: door.signal } as const;
  await reconcileCard(ctx, queue, { task, log, metadata }, "projection", door.signal);
  const comments = await ctx.client.call(getAllComments(task.id), options);
  const { nonce } = standing.slot;
  const lock = comments.find(
    (comment) => comment.text.startsWith("🔒") && comment.text.includes(nonce),
  );
  const held = claimOf(door, queue, { ...intended, task }, { slot: standing.slot, log });
  held.lockComment = lock?.id ?? null;
  const lease = leaseOf(door, held, door.leases.session);
  await door.leases.write(lease);
  return { lease, comments, recovered: true };
}
