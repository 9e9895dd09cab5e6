// A queue that chooses its model by score does not take a card without one: it asks for it instead.
import {
  isClaimable,
  emptyLog,
  logKey,
  next,
  NONCE_LENGTH,
  type TaskLog,
} from "../ledger/index.ts";
import { encodeWait, FIELD, targetOf, whyComment } from "../projection/index.ts";
import { type Queue, roleOf } from "../queue/index.ts";
import { createComment, saveTaskMetadata, type Task } from "../rpc/index.ts";
import type { Nonce } from "../ids.ts";
import { append } from "./append.ts";
import { beatNow, type FabricContext } from "./context.ts";
import { sentence } from "./explain.ts";
import { showHead } from "./show-head.ts";

/** @returns true when the card was put before a person */
export async function askForScore(
  ctx: FabricContext,
  queue: Queue,
  seen: { card: Task; log: TaskLog | undefined },
  signal?: AbortSignal,
): Promise<boolean> {
  const { card } = seen;
  const log = seen.log ?? emptyLog(logKey(card));
  const asks =
    queue.rules.requireScore &&
    card.score === 0 &&
    card.ownerId === null &&
    card.isActive &&
    roleOf(queue, card.columnId) === "ready" &&
    isClaimable(log);
  if (!asks) return false;
  const planned = next(log, {
    type: "record",
    kind: "p",
    agent: ctx.me.agent,
    nonce: ctx.random.base36(NONCE_LENGTH) as Nonce,
    beat: beatNow(ctx),
  });
  if (!planned.ok) return false;
  const { slot } = planned;
  const wait = { human: true } as const;
  const content = whyComment(sentence(queue, "no-score"));
  const appended = await append(ctx, card, slot, {
    purpose: "sweep",
    signal,
    content: {
      writes: [
        saveTaskMetadata(card.id, { [FIELD.wait]: encodeWait(slot.n, wait) }),
        createComment({ taskId: card.id, userId: ctx.me.userId, content }),
      ],
      isThere: async () => false,
    },
  });
  if (appended.outcome === "lost") return true;
  const target = targetOf(appended.slot, wait);
  if (target)
    await showHead(
      ctx,
      queue,
      { task: card, head: appended.slot, target, before: null },
      "sweep",
      signal,
    );
  ctx.emit("task.explained", { task: card.id, queue: queue.name, why: "no-score" });
  return true;
}
