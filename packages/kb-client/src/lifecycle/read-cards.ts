// Reads of many cards at once that survive one of them being gone: with a user token a single deleted card answers
// 403 for the whole batch.
import { isFabricError } from "../errors.ts";
import type { TaskId } from "../ids.ts";
import { type LogKey, taskIdOf, logKey } from "../ledger/index.ts";
import type { Metadata } from "../projection/index.ts";
import { getTask, getTaskMetadata, type Task } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";

/** One request; where a card is gone, halves until only that one is left out. */
export async function readMetadata(
  ctx: FabricContext,
  ids: readonly TaskId[],
  signal?: AbortSignal,
): Promise<Map<TaskId, Metadata>> {
  const found = new Map<TaskId, Metadata>();
  if (ids.length === 0) return found;
  try {
    const replies = await ctx.client.batch(
      ids.map((id) => getTaskMetadata(id)),
      { purpose: "sweep", signal },
    );
    for (const [i, reply] of replies.entries()) {
      const id = ids[i];
      if (reply.ok && id !== undefined) found.set(id, reply.value);
    }
    return found;
  } catch (error) {
    if (!isFabricError(error, "KB_FORBIDDEN")) throw error;
    if (ids.length === 1) return found;
    const middle = Math.ceil(ids.length / 2);
    for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
      for (const [id, metadata] of await readMetadata(ctx, half, signal)) found.set(id, metadata);
    }
    return found;
  }
}

export type Where =
  | { place: "elsewhere"; task: Task }
  /** Certainly: this account sees everything and there is no such card. */
  | { place: "deleted"; dateCreation: number }
  /** 403: deleted, or moved where this account may not look. */
  | { place: "unknown"; dateCreation: number };

export async function whereIs(
  ctx: FabricContext,
  key: LogKey,
  signal?: AbortSignal,
): Promise<Where> {
  const id = taskIdOf(key);
  const dateCreation = Number.parseInt(key.slice(key.indexOf("-") + 1), 36);
  try {
    const task = await ctx.client.call(getTask(id), { purpose: "sweep", signal });
    // Another card with the id of a deleted one is not this card.
    return task === null || logKey(task) !== key
      ? { place: "deleted", dateCreation }
      : { place: "elsewhere", task };
  } catch (error) {
    if (isFabricError(error, "KB_FORBIDDEN")) return { place: "unknown", dateCreation };
    throw error;
  }
}
