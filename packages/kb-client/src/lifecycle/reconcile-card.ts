// Compares one card with its log and brings the two together: what agents did is read from the log, what a person did
// from the card.
import type { ColumnId } from "../ids.ts";
import type { Kind, Slot, TaskLog } from "../ledger/index.ts";
import {
  cardRecord,
  CLAIM_UNDONE,
  CLOSED_BEFORE_RESULT,
  GESTURES,
  type GestureRow,
  type Metadata,
  type Place,
  REASSIGNED_TO_PERSON,
  stateOf,
  type Target,
  targetOf,
  type Wait,
  waitOf,
} from "../projection/index.ts";
import { columnOf, type Queue } from "../queue/index.ts";
import type { Column, Purpose, Task } from "../rpc/index.ts";
import { applyGesture, placeOf } from "./apply-gesture.ts";
import type { FabricContext } from "./context.ts";
import { moveCard, type Moved } from "./move-card.ts";
import { showHead } from "./show-head.ts";
import { LOST_RESULT, wordsFor } from "./words.ts";

export type Reconciled =
  /** Card and log agree. */
  | { outcome: "agrees" }
  /** The card was brought to where the log wants it; `task` is how it stood before. */
  | { outcome: "repaired"; task: Task }
  /** A person's move was recorded. */
  | { outcome: "gesture"; place: Place }
  /** Somebody else wrote first or touched the card; the next sweep looks again. */
  | { outcome: "again" }
  | { outcome: "gone" };

export interface CardAndLog {
  task: Task;
  log: TaskLog;
  metadata: Metadata;
}

export async function reconcileCard(
  ctx: FabricContext,
  queue: Queue,
  seen: CardAndLog,
  purpose: Purpose,
  signal?: AbortSignal,
): Promise<Reconciled> {
  const { head } = seen.log;
  if (head === null) return { outcome: "agrees" };
  const judged = await judge(ctx, queue, seen, head, signal);
  switch (judged.verdict) {
    case "agrees":
      return { outcome: "agrees" };
    case "gesture": {
      const { place, row } = judged;
      const log = await applyGesture(ctx, queue, { ...seen, place, row }, signal);
      return log ? { outcome: "gesture", place } : { outcome: "again" };
    }
    case "promote": {
      const { row } = judged;
      const log = await applyGesture(ctx, queue, { ...seen, place: "ready", row }, signal);
      return log ? { outcome: "repaired", task: seen.task } : { outcome: "again" };
    }
    case "jumped":
      return putBack(ctx, queue, seen, judged.back, purpose, signal);
    case "show":
      return show(
        ctx,
        queue,
        { ...seen, log: { ...seen.log, head } },
        judged.target,
        purpose,
        signal,
      );
  }
}

type Verdict =
  | { verdict: "agrees" }
  | { verdict: "gesture"; place: Place; row: GestureRow }
  | { verdict: "promote"; row: GestureRow }
  | { verdict: "jumped"; back: ColumnId }
  | { verdict: "show"; target: Target };

async function judge(
  ctx: FabricContext,
  queue: Queue,
  seen: CardAndLog,
  head: Slot,
  signal: AbortSignal | undefined,
): Promise<Verdict> {
  const { task, metadata } = seen;
  const place = placeOf(queue, task);
  const state = stateOf(head.kind);
  const record = cardRecord(metadata);
  const shown = record?.n === head.n;
  const row = GESTURES[state][place];

  // A move of ours reopened a card that a person had closed, and died before it could close it again: closing sets
  // the completion time, opening clears it, moving leaves it.
  const reopenedByMove = task.isActive && task.dateCompleted > 0;
  if (place === "closed" || reopenedByMove) {
    const settled = state === "verified" || state === "canceled" || state === "dead";
    if (settled && !reopenedByMove) return { verdict: "agrees" };
    const closed = state === "done" && !shown ? CLOSED_BEFORE_RESULT : GESTURES[state].closed;
    return gesture(
      "closed",
      reopenedByMove ? { ...closed, card: { ...closed.card, close: true } } : closed,
    );
  }
  if (place === "elsewhere")
    return row.writes.length > 0 ? gesture(place, row) : { verdict: "agrees" };
  if (state === "verified" || state === "canceled") return gesture(place, row);

  const wait = waitOf(metadata, head.n);
  const target = targetOf(head, wait);
  const home = record?.columnId ?? (target ? columnOf(queue, "ready").id : task.columnId);
  const away = task.columnId !== home;
  if (away && (record === null || task.dateMoved !== record.dateMoved)) {
    if (shown || !hasArrived(ctx, queue, task, target, head)) {
      return gesture(place, state === "working" && !shown ? CLAIM_UNDONE[place] : row);
    }
  }
  if (state === "working" && shown && !away && task.ownerId !== null) {
    const taken = ctx.agents.userOf(head.agent) !== task.ownerId;
    if (taken && (await ctx.agents.isPerson(task.ownerId, signal))) {
      return gesture(place, REASSIGNED_TO_PERSON);
    }
  }
  if (shown && record) {
    if (away) return { verdict: "jumped", back: record.columnId };
    if (state === "waiting" && place === "ready" && task.ownerId !== null) {
      // Its release took the agent off, but a busy board dropped that: nobody takes an assigned card.
      const isLeftover = !(await ctx.agents.isPerson(task.ownerId, signal));
      if (isLeftover) return gesture(place, { writes: [], card: { unassign: true } });
    }
    const isDue = place === "backlog" && isOver(head.kind, wait, ctx.client.serverNow());
    return isDue ? promotion(head.kind) : { verdict: "agrees" };
  }
  return target === null ? gesture(place, { writes: [] }) : { verdict: "show", target };
}

/** Another process had carried out the move and died before it could note that. */
function hasArrived(
  ctx: FabricContext,
  queue: Queue,
  task: Task,
  target: Target | null,
  head: Slot,
): boolean {
  if (target === null || task.columnId !== columnOf(queue, target.role).id) return false;
  return target.owner !== "agent" || task.ownerId === (ctx.agents.userOf(head.agent) ?? null);
}

/**
 * Only a snooze and a retry end by themselves. A missing note was lost with its writer; what waits for a person has
 * one that says so.
 */
function isOver(kind: Kind, wait: Wait | null, serverNow: number): boolean {
  if (kind !== "p" && kind !== "f") return false;
  return wait === null || ("until" in wait && wait.until * 1000 <= serverNow);
}

function gesture(place: Place, row: GestureRow): Verdict {
  return { verdict: "gesture", place, row };
}

/** A retry or a snooze whose time has come: any poller may put it back, no keeper is needed. */
function promotion(kind: Kind): Verdict {
  const row: GestureRow = {
    writes: kind === "p" ? ["u"] : [],
    card: { moveTo: "ready" },
    event: "task.promoted",
  };
  return { verdict: "promote", row };
}

/** A move of some other card threw this one back to an old column: same `date_moved`, nobody's wish. */
async function putBack(
  ctx: FabricContext,
  queue: Queue,
  seen: CardAndLog,
  back: ColumnId,
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<Reconciled> {
  const { task, log } = seen;
  const to = Object.values(queue.columns).find((column: Column | null) => column?.id === back);
  if (!to) return { outcome: "agrees" };
  const moved = await moveCard(
    ctx.client,
    queue,
    { expected: task, to, owner: undefined, also: [], purpose },
    signal,
  );
  if (moved.outcome === "moved") {
    ctx.emit("projection.repaired", { task: task.id, head: log.head?.kind, why: "jumped" });
  }
  return outcomeOf(moved);
}

async function show(
  ctx: FabricContext,
  queue: Queue,
  seen: CardAndLog & { log: { head: Slot } },
  target: Target,
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<Reconciled> {
  const { task, log } = seen;
  const words = await wordsFor(ctx, task, log, signal);
  if (words === "result-missing") {
    const row: GestureRow = {
      writes: ["o"],
      card: { moveTo: "ready", unassign: true },
      says: LOST_RESULT,
    };
    const reopened = await applyGesture(ctx, queue, { ...seen, place: "ready", row }, signal);
    return reopened ? { outcome: "repaired", task } : { outcome: "again" };
  }
  const shown = await showHead(
    ctx,
    queue,
    { task, head: log.head, target, before: cardRecord(seen.metadata), ...words },
    purpose,
    signal,
  );
  if (shown.outcome === "moved") {
    ctx.emit("projection.repaired", { task: task.id, head: log.head.kind, why: "lagged" });
  }
  return outcomeOf(shown);
}

function outcomeOf(moved: Moved): Reconciled {
  switch (moved.outcome) {
    case "moved":
      return { outcome: "repaired", task: moved.task };
    case "disturbed":
      return { outcome: "again" };
    case "gone":
      return { outcome: "gone" };
  }
}
