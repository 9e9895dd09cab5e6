// The common beginning of every verb that acts under a lease: find its file, read card and log in one request, judge.
import {
  aboveFloor,
  emptyLog,
  type FabricContext,
  floorOf,
  getTagsByProject,
  getTask,
  getTaskMetadata,
  type HeldClaim,
  type Outcome,
  type Queue,
  readLogs,
  shardOf,
  type Slot,
} from "@agap/kb-client";
import { bindingOf } from "@agap/fabric";
import { type Door, enter } from "../door/door.ts";
import { EXIT } from "../exit-codes.ts";
import { type Refused, refuse } from "../output/answer.ts";
import { sinceStamp } from "./boot-clock.ts";
import { findLease, nameOf } from "./find-lease.ts";
import { claimOf } from "./held-lease.ts";
import type { LeaseFile } from "./lease-file.ts";
import { type CardReading, isOutOfReach, type Standing, standingOf } from "./standing.ts";

export interface OpenedLease {
  ok: true;
  ctx: FabricContext;
  queue: Queue;
  lease: LeaseFile;
  reading: CardReading;
}

export type ActingUnder =
  | (OpenedLease & { is: "held"; held: HeldClaim })
  | (OpenedLease & { is: "ended"; by: Slot })
  | Refused;

/** One request. A claim that is lost, or never arrived, comes back as a refusal. */
export async function actUnder(door: Door, named: string | undefined): Promise<ActingUnder> {
  const found = await findLease(door, named);
  if (!found.ok) return found;
  const { lease } = found;
  if (lease.state === "lost") return lost(lease, lease.why);
  const opened = await readLease(door, lease);
  if (!opened.ok) return opened;
  const { ctx, queue, reading } = opened;
  const standing = standingOf(ctx, queue, lease, reading);
  switch (standing.is) {
    case "held":
      return {
        ...opened,
        is: "held",
        held: claimOf(door, queue, lease, { slot: standing.slot, log: reading.log }),
      };
    case "ended":
      return { ...opened, is: "ended", by: standing.by };
    default:
      return conclude(door, lease, standing);
  }
}

export async function readLease(door: Door, lease: LeaseFile): Promise<OpenedLease | Refused> {
  const { id } = lease.task;
  const shard = shardOf(bindingOf(door.board), id);
  try {
    const reads = [getTask(id), getTagsByProject(shard), getTaskMetadata(id)] as const;
    const { ctx, queue, also } = await enter(door, lease.queue, reads);
    const [task, tags, metadata] = [valueOf(also[0]), valueOf(also[1]), valueOf(also[2])];
    const log = aboveFloor(readLogs(tags).get(lease.key) ?? emptyLog(lease.key), floorOf(metadata));
    return { ok: true, ctx, queue, lease, reading: { task, log, metadata } };
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    return conclude(door, lease, {
      is: "lost",
      why: "its card was deleted, or moved where this account may not look",
    });
  }
}

/** A request that was under way when its command died may still arrive this long after. */
export const MAY_STILL_ARRIVE_MS = 60_000;

async function conclude(
  door: Door,
  lease: LeaseFile,
  standing: Extract<Standing, { is: "lost" | "never" }>,
): Promise<Refused> {
  if (standing.is === "lost") {
    await markLost(door, lease, standing.why);
    return lost(lease, standing.why);
  }
  const isOver = sinceStamp(lease.sentAt, door.clock.now(), door.boot) > MAY_STILL_ARRIVE_MS;
  if (isOver) await door.leases.remove(lease);
  return refuse(
    EXIT.notYours,
    "LEASE_NOT_HELD",
    `the claim of ${nameOf(lease)} has not arrived at the board`,
    isOver
      ? "Nothing was written. Claim a task with kb-claim take."
      : "Its command was interrupted less than a minute ago: look again with kb-claim lease-status.",
  );
}

/** Every later verb then gives the same answer without asking the board. */
export async function markLost(door: Door, lease: LeaseFile, why: string): Promise<void> {
  const { v, queue, task, key, nonce, agent, session, sentAt } = lease;
  await door.leases.write({
    v,
    queue,
    task,
    key,
    nonce,
    agent,
    session,
    sentAt,
    state: "lost",
    why,
  });
}

export function lost(lease: LeaseFile, why: string): Refused {
  const name = nameOf(lease);
  return refuse(
    EXIT.leaseLost,
    "LEASE_LOST",
    `the lease of ${name} is lost: ${why}`,
    `Nothing was written. Stop working on it and keep what you have outside the board; kb-claim why ${name} says how the task stands now.`,
    { task: { id: lease.task.id, ref: name } },
  );
}

export function valueOf<R>(outcome: Outcome<R>): R {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}
