// The words that belong to the head of a log, for whoever finishes a projection that its writer did not live to make.
// The text of `f` and `p` was written before the slot; these are the ones that come after.
import type { CommentId } from "../ids.ts";
import type { Slot, TaskLog } from "../ledger/index.ts";
import {
  deadComment,
  doneComment,
  excerpt,
  expiredComment,
  lockComment,
  lockEnded,
  mark,
} from "../projection/index.ts";
import { attempts } from "../ledger/index.ts";
import { type Comment, getAllComments, type Task } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";
import { findResult } from "./result-file.ts";

export const LOST_RESULT =
  "its worker reported it done but no result arrived on the card: it is done again";

export interface Words {
  comment?: string;
  lock?: { id: CommentId; text: string };
}

/** One or two reads. `result-missing`: a `d` slot whose file is not on the board. */
export async function wordsFor(
  ctx: FabricContext,
  task: Task,
  log: TaskLog & { head: Slot },
  signal: AbortSignal | undefined,
): Promise<Words | "result-missing"> {
  const { head } = log;
  const claim = claimBefore(log);
  if (!claim) return {};
  const ref = { epoch: claim.n, nonce: claim.nonce };
  const comments = await ctx.client.call(getAllComments(task.id), { purpose: "read", signal });
  const said = (sign: string): boolean =>
    comments.some((comment) => comment.text.startsWith(sign) && comment.text.includes(mark(ref)));
  const at = new Date(head.beat * 1000);
  switch (head.kind) {
    case "c":
      return said("🔒") ? {} : { comment: lockComment(head.agent, at, ref) };
    case "d": {
      const result = await findResult(ctx.client, task.id, ref, signal);
      if (result === null) return "result-missing";
      const words = said("✅") ? {} : { comment: doneComment(excerpt(result), ref, false) };
      return { ...words, ...endLock(ctx, comments, claim, at, "done") };
    }
    case "x":
      return {
        ...(said("⏱️") ? {} : { comment: expiredComment(claim.agent, ref) }),
        ...endLock(ctx, comments, claim, at, "lease expired"),
      };
    case "k": {
      const text = deadComment("its lease expired each time", attempts(log) + 1, ref);
      return {
        ...(said("☠️") ? {} : { comment: text }),
        ...endLock(ctx, comments, claim, at, "dead letter"),
      };
    }
    default:
      return endLock(ctx, comments, claim, at, head.kind === "p" ? "parked" : "given back");
  }
}

/** The claim that the head starts or ends; null where a person or the keeper wrote without one. */
function claimBefore(log: TaskLog & { head: Slot }): Slot | null {
  if (log.head.kind === "c") return log.head;
  const before = log.slots.at(-2);
  return before?.kind === "c" ? before : null;
}

/** Kanboard lets an account edit its own comments only. */
function endLock(
  ctx: FabricContext,
  comments: readonly Comment[],
  claim: Slot,
  at: Date,
  how: string,
): Pick<Words, "lock"> {
  const ref = { epoch: claim.n, nonce: claim.nonce };
  const lock = comments.find(
    (comment) =>
      comment.userId === ctx.me.userId &&
      comment.text.startsWith("🔒") &&
      comment.text.includes(mark(ref)),
  );
  return lock ? { lock: { id: lock.id, text: lockEnded(claim.agent, at, ref, how) } } : {};
}
