// Appends one slot to a log. This is the only place that decides whether a write of the ledger happened: a lost or
// late reply is never trusted, the slot is read back and its nonce compared.
import { isFabricError } from "../errors.ts";
import {
  encodePayload,
  shardOf,
  type Slot,
  slotName,
  taskIdOf,
  type TaskLog,
} from "../ledger/index.ts";
import type { TagId } from "../ids.ts";
import { createTag, type Outcome, type Procedure, type Purpose } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";
import { readLogOnly, type TaskIdentity } from "./read-log.ts";

export type WrittenSlot = Slot & { tagId: TagId };

export type Appended =
  /** The slot is in the ledger and it is ours. */
  | {
      outcome: "written";
      slot: WrittenSlot;
      /** Answers to `content.writes`; null when a reply was lost and the slot was found by reading back. */
      replies: readonly Outcome<unknown>[] | null;
    }
  /** Somebody else wrote that number first; `log` is what stands now. */
  | { outcome: "lost"; log: TaskLog };

/** Goes before the slot in the same request, so that the slot never stands without it. */
export interface Content {
  writes: readonly Procedure<unknown>[];
  /** Reads whether an earlier, unanswered write of it arrived. */
  isThere: () => Promise<boolean>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/**
 * @param signal ends the attempts; a holder passes one that aborts with its lease
 * @throws the signal's reason, or a FabricError that no repetition can mend
 */
export async function append(
  ctx: FabricContext,
  task: TaskIdentity,
  slot: Slot,
  options: { purpose: Purpose; signal?: AbortSignal | undefined; content?: Content },
): Promise<Appended> {
  const { purpose, signal, content } = options;
  const write = createTag(
    shardOf(ctx.ledger, taskIdOf(slot.key)),
    slotName(slot.key, slot.n),
    encodePayload(slot),
  );
  let contentWritten = content === undefined;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    try {
      const replies = await ctx.client.batch(
        contentWritten || !content ? [write] : [...content.writes, write],
        { purpose, signal },
      );
      const own = replies.at(-1);
      if (own?.ok && own.value !== null) {
        return {
          outcome: "written",
          slot: { ...slot, tagId: own.value as TagId },
          replies: replies.slice(0, -1),
        };
      }
      if (own && !own.ok) throw own.error;
      const found = await readBack(ctx, task, slot, purpose, signal);
      if (found.outcome !== "absent") return found;
      // Kanboard says false and the slot is not there: a foreign-key failure, or it was deleted. Try again.
    } catch (error) {
      if (signal?.aborted || !isFabricError(error) || error.retryable === "no") throw error;
      ctx.emit("write.read_back", { slot: slotName(slot.key, slot.n), code: error.code });
      const found = await tryReadBack(ctx, task, slot, purpose, signal);
      if (found && found.outcome !== "absent") return found;
      // A card that may not be touched (any more) stays so: repeating can't mend it.
      if (found && error.code === "KB_FORBIDDEN") throw error;
      if (content && !contentWritten && found) contentWritten = await content.isThere();
    }
    await ctx.clock.sleep(pause * (0.5 + ctx.random.next()), signal);
  }
}

type ReadBack = Appended | { outcome: "absent" };

async function readBack(
  ctx: FabricContext,
  task: TaskIdentity,
  slot: Slot,
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<ReadBack> {
  const log = await readLogOnly(ctx, task, purpose, signal);
  const found = log.slots.find((candidate) => candidate.n === slot.n);
  if (!found) return { outcome: "absent" };
  const ours = found.kind === slot.kind && found.nonce === slot.nonce && found.agent === slot.agent;
  return ours && found.tagId !== undefined
    ? { outcome: "written", slot: { ...found, tagId: found.tagId }, replies: null }
    : { outcome: "lost", log };
}

/** Null when the board can't be read right now. */
async function tryReadBack(...args: Parameters<typeof readBack>): Promise<ReadBack | null> {
  try {
    return await readBack(...args);
  } catch (error) {
    if (isFabricError(error) && error.retryable !== "no") return null;
    throw error;
  }
}
