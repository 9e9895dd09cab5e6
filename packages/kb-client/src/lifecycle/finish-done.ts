// Commits a result: the file first, then the slot that makes it count, then the card.
import { isFabricError } from "../errors.ts";
import { next } from "../ledger/index.ts";
import { doneComment, excerpt, resultFileName } from "../projection/index.ts";
import {
  createTaskFile,
  escapeMentions,
  getTask,
  removeTaskFile,
  type Task,
} from "../rpc/index.ts";
import { append, type Content } from "./append.ts";
import type { FabricContext } from "./context.ts";
import { fenced, type Finished, showEnding, signedBy, unlessGone } from "./ending.ts";
import { claimRef, type HeldClaim } from "./held-claim.ts";
import { findResultFile } from "./result-file.ts";

/** A comment takes this much where even a second try could not attach the file. */
const MAX_COMMENT = 60_000;

/**
 * Two HTTP requests.
 * @param result Markdown, the whole answer
 */
export async function finishDone(
  ctx: FabricContext,
  held: HeldClaim,
  result: string,
  signal?: AbortSignal,
): Promise<Finished> {
  return unlessGone(() => commit(ctx, held, result, signal));
}

async function commit(
  ctx: FabricContext,
  held: HeldClaim,
  result: string,
  signal: AbortSignal | undefined,
): Promise<Finished> {
  const ref = claimRef(held);
  const { task, queue } = held;
  const planned = next(held.log, { type: "finish", claim: ref, ...signedBy(ctx) });
  if (!planned.ok) return fenced(ctx, held, held.log);
  const attach = createTaskFile({
    projectId: queue.project,
    taskId: task.id,
    filename: resultFileName(ref),
    content: result,
  });
  const content: Content = {
    writes: [getTask(task.id), attach],
    isThere: async () => (await findResultFile(ctx.client, task.id, ref, signal)) !== null,
  };
  const appended = await append(ctx, task, planned.slot, { purpose: "outcome", signal, content });
  if (appended.outcome === "lost") {
    await takeBack(ctx, held);
    return fenced(ctx, held, appended.log);
  }
  const [read, file] = appended.replies ?? [];
  const attached =
    file === undefined || (file.ok && file.value !== null) || (await again(ctx, attach, signal));
  const shown = escapeMentions(attached ? excerpt(result) : result.slice(0, MAX_COMMENT));
  const comment = doneComment(shown, ref, wasEdited(held, read?.ok ? read.value : undefined));
  await showEnding(ctx, held, appended.slot, { comment, how: "done", wait: null }, signal);
  ctx.emit("task.done", { task: task.id, queue: queue.name, epoch: ref.epoch });
  return { outcome: "done", slot: appended.slot };
}

/** Kanboard refused the file but took the slot after it: the answer still belongs on the board. */
async function again(
  ctx: FabricContext,
  attach: ReturnType<typeof createTaskFile>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await ctx.client.call(attach, { purpose: "outcome", signal })) !== null;
  } catch (error) {
    if (isFabricError(error)) return false;
    throw error;
  }
}

async function takeBack(ctx: FabricContext, held: HeldClaim): Promise<void> {
  try {
    const id = await findResultFile(ctx.client, held.task.id, claimRef(held));
    if (id !== null) await ctx.client.call(removeTaskFile(id), { purpose: "outcome" });
  } catch (error) {
    // The card may be gone with its files; a file that stays is no result, since no `d` slot names it.
    if (!isFabricError(error)) throw error;
  }
}

function wasEdited(held: HeldClaim, now: unknown): boolean {
  const task = now as Task | null | undefined;
  if (!task) return false;
  return task.title !== held.task.title || task.description !== held.task.description;
}
