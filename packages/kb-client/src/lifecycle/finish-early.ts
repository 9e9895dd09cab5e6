// Ends a claim without a result: a failed attempt, a snooze, or the task handed back.
import type { CommentId } from "../ids.ts";
import { attempts, isWornOut, next, type Slot, type TaskLog } from "../ledger/index.ts";
import {
  deadComment,
  encodeWait,
  failedComment,
  FIELD,
  mark,
  parkedComment,
  type Wait,
} from "../projection/index.ts";
import {
  createComment,
  escapeMentions,
  getAllComments,
  removeComment,
  saveTaskMetadata,
} from "../rpc/index.ts";
import { append } from "./append.ts";
import type { FabricContext } from "./context.ts";
import { type Fenced, fenced, type Finished, showEnding, signedBy, unlessGone } from "./ending.ts";
import { claimRef, type HeldClaim } from "./held-claim.ts";
import { readLog } from "./read-log.ts";
import { repeatLocked } from "./repeat-locked.ts";

/** A failed attempt: tried again after a growing delay, or a dead letter at the bound. */
export async function finishFailed(
  ctx: FabricContext,
  held: HeldClaim,
  reason: string,
  signal?: AbortSignal,
): Promise<Finished> {
  return unlessGone(async () => {
    const { rules } = held.queue;
    const { log } = await readLog(ctx, held.task, "outcome", signal);
    const claim = claimRef(held);
    const { maxAttempts } = rules;
    const planned = next(log, { type: "fail", claim, maxAttempts, ...signedBy(ctx) });
    if (!planned.ok) return fenced(ctx, held, log);
    const tried = attempts(log);
    const delay = rules.retryDelayMs * 2 ** (tried - 1) * (0.9 + 0.2 * ctx.random.next());
    const wait = { until: Math.ceil((ctx.client.serverNow() + delay) / 1000) };
    const dead = planned.slot.kind === "k";
    const words = escapeMentions(reason);
    const text = dead
      ? deadComment(words, tried, claim)
      : failedComment(words, new Date(wait.until * 1000), claim);
    const how = dead ? "dead letter" : "attempt failed";
    const ended = await commitWords(ctx, held, { slot: planned.slot, text, wait, how }, signal);
    if (ended.outcome === "fenced") return ended;
    const fields = { task: held.task.id, queue: held.queue.name, attempts: tried, reason };
    ctx.emit(dead ? "task.dead_letter" : "task.failed", fields);
    return { outcome: dead ? "dead-letter" : "failed", slot: ended.slot };
  });
}

/** A snooze: no attempt is used up. A task that was snoozed too often waits for a person instead. */
export async function finishParked(
  ctx: FabricContext,
  held: HeldClaim,
  parking: { reason: string; wait: Wait },
  signal?: AbortSignal,
): Promise<Finished> {
  return unlessGone(async () => {
    const { log } = await readLog(ctx, held.task, "outcome", signal);
    const claim = claimRef(held);
    const planned = next(log, { type: "park", claim, ...signedBy(ctx) });
    if (!planned.ok) return fenced(ctx, held, log);
    const wait: Wait = isWornOut(log) ? { human: true } : parking.wait;
    const until = "until" in wait ? new Date(wait.until * 1000) : null;
    const text = parkedComment(escapeMentions(parking.reason), until, claim);
    const ended = await commitWords(
      ctx,
      held,
      { slot: planned.slot, text, wait, how: "parked" },
      signal,
    );
    if (ended.outcome === "fenced") return ended;
    const fields = { task: held.task.id, queue: held.queue.name, reason: parking.reason };
    ctx.emit("task.parked", fields);
    return { outcome: "parked", slot: ended.slot };
  });
}

/** Hands the task back as it was, at once claimable; no attempt is used up. */
export async function finishReleased(
  ctx: FabricContext,
  held: HeldClaim,
  reason: string,
  signal?: AbortSignal,
): Promise<Finished> {
  return unlessGone(async () => {
    const planned = next(held.log, { type: "release", claim: claimRef(held), ...signedBy(ctx) });
    if (!planned.ok) return fenced(ctx, held, held.log);
    const appended = await append(ctx, held.task, planned.slot, { purpose: "outcome", signal });
    if (appended.outcome === "lost") return fenced(ctx, held, appended.log);
    const words = { how: `given back: ${reason}`, wait: null };
    await showEnding(ctx, held, appended.slot, words, signal);
    ctx.emit("task.released", { task: held.task.id, queue: held.queue.name, reason });
    return { outcome: "released", slot: appended.slot };
  });
}

interface Ending {
  slot: Slot;
  text: string;
  wait: Wait;
  how: string;
}

/** Comment and waiting note, then the slot; the comment is taken back when the slot is refused. */
async function commitWords(
  ctx: FabricContext,
  held: HeldClaim,
  ending: Ending,
  signal: AbortSignal | undefined,
): Promise<{ outcome: "written"; slot: Slot } | Fenced> {
  const { id } = held.task;
  const { slot, text, wait, how } = ending;
  const writes = [
    saveTaskMetadata(id, { [FIELD.wait]: encodeWait(slot.n, wait) }),
    createComment({ taskId: id, userId: ctx.me.userId, content: text }),
  ];
  const appended = await append(ctx, held.task, slot, {
    purpose: "outcome",
    signal,
    content: {
      writes,
      isThere: async () => (await ownComments(ctx, held, text)).length > 0,
    },
  });
  if (appended.outcome === "lost") return takeBack(ctx, held, text, appended.log);
  // Without its note a parked task would wait for a person, and a failed one not at all.
  const sent = { procedures: writes, replies: appended.replies ?? [] };
  await repeatLocked(ctx.client, sent, ["saveTaskMetadata"], { purpose: "outcome", signal });
  await showEnding(ctx, held, appended.slot, { how, wait }, signal);
  return appended;
}

async function takeBack(
  ctx: FabricContext,
  held: HeldClaim,
  text: string,
  log: TaskLog,
): Promise<Fenced> {
  for (const id of await ownComments(ctx, held, text)) {
    await ctx.client.call(removeComment(id), { purpose: "outcome" });
  }
  return fenced(ctx, held, log);
}

/** Comments of this account that say this kind of thing about this claim. */
async function ownComments(
  ctx: FabricContext,
  held: HeldClaim,
  text: string,
): Promise<CommentId[]> {
  const comments = await ctx.client.call(getAllComments(held.task.id), { purpose: "outcome" });
  const sign = text.slice(0, text.indexOf(" "));
  const own = comments.filter(
    (comment) =>
      comment.userId === ctx.me.userId &&
      comment.text.startsWith(sign) &&
      comment.text.includes(mark(claimRef(held))),
  );
  return own.map((comment) => comment.id);
}
