// A task's log as read from its shard: slots in order, and the questions that protocol steps ask of it.
import type { Tag } from "../rpc/index.ts";
import type { Epoch } from "../ids.ts";
import { CLAIMABLE } from "./kinds.ts";
import { type LogKey, parseSlot, type Slot } from "./slot.ts";

export interface TaskLog {
  key: LogKey;
  /** Ascending by n, slots at or below the GC floor left out. */
  slots: readonly Slot[];
  head: Slot | null;
  /** Highest epoch that garbage collection removed; 0 when it never ran for this task. */
  floor: number;
  /** True when slots in the middle are missing: somebody deleted ledger tags by hand. */
  damaged: boolean;
}

export function emptyLog(key: LogKey, floor = 0): TaskLog {
  return { key, slots: [], head: null, floor, damaged: false };
}

/** All logs of one shard. Tags that are no slots (registers, a person's own) are passed over. */
export function readLogs(tags: Iterable<Tag>): Map<LogKey, TaskLog> {
  const byKey = new Map<LogKey, Slot[]>();
  for (const tag of tags) {
    const slot = parseSlot(tag);
    if (!slot) continue;
    const slots = byKey.get(slot.key);
    if (slots) slots.push(slot);
    else byKey.set(slot.key, [slot]);
  }
  const logs = new Map<LogKey, TaskLog>();
  for (const [key, slots] of byKey) logs.set(key, toLog(key, slots, 0));
  return logs;
}

/** The log with everything at or below `floor` taken as collected. */
export function aboveFloor(log: TaskLog, floor: number): TaskLog {
  return floor === 0 ? log : toLog(log.key, log.slots, floor);
}

function toLog(key: LogKey, unordered: readonly Slot[], floor: number): TaskLog {
  const slots = unordered.filter((slot) => slot.n > floor).sort((a, b) => a.n - b.n);
  const head = slots.at(-1) ?? null;
  const first = slots[0];
  // Collection removes from the front only once the floor says so; a hole anywhere else is damage.
  const damaged = first !== undefined && head !== null && head.n - first.n + 1 !== slots.length;
  return { key, slots, head, floor, damaged };
}

export function isClaimable(log: TaskLog): boolean {
  return CLAIMABLE.has(log.head?.kind ?? "none");
}

/** The number the next slot must carry. */
export function nextSlotNumber(log: TaskLog): Epoch {
  return (Math.max(log.head?.n ?? 0, log.floor) + 1) as Epoch;
}

/** Slots of the current round: everything after the last reopening. */
export function currentRound(log: TaskLog): readonly Slot[] {
  const reopened = log.slots.findLastIndex((slot) => slot.kind === "o");
  return log.slots.slice(reopened + 1);
}

/**
 * Claims of this round that count against the bound: the running one, and those that ended by expiry or failure.
 * A release, a snooze and a person's take-over are nobody's fault and do not count.
 */
export function attempts(log: TaskLog): number {
  const round = currentRound(log);
  let counted = 0;
  for (const [i, slot] of round.entries()) {
    if (slot.kind !== "c") continue;
    const end = round[i + 1]?.kind;
    if (end === undefined || end === "x" || end === "f") counted += 1;
  }
  return counted;
}

/** How often this round was parked. */
export function snoozes(log: TaskLog): number {
  return currentRound(log).filter((slot) => slot.kind === "p").length;
}
