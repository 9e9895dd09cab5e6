// Reads of many cards at once that survive one of them being gone: with a user token a single deleted card answers
// 403 for the whole batch.
import { isFabricError } from "../errors.ts";
import type { TaskId } from "../ids.ts";
import { type LogKey, taskIdOf, logKey } from "../ledger/index.ts";
import type { Metadata } from "../projection/index.ts";
import { getTask, getTaskMetadata, type Task } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";

export interface FreshCard {
  task: Task;
  metadata: Metadata;
}

/**
 * One request. The metadata is read before the card, and every projection moves before it notes that: so a card is
 * never older than its record, and a record that names another column means a move after it.
 * Where a card is gone, halves until only that one is left out.
 */
export async function readCards(
  ctx: FabricContext,
  ids: readonly TaskId[],
  signal?: AbortSignal,
): Promise<Map<TaskId, FreshCard>> {
  const found = new Map<TaskId, FreshCard>();
  if (ids.length === 0) return found;
  try {
    const replies = await ctx.client.batch(
      ids.flatMap((id) => [getTaskMetadata(id), getTask(id)]),
      { purpose: "sweep", signal },
    );
    for (const [i, id] of ids.entries()) {
      const [stored, task] = [replies[2 * i], replies[2 * i + 1]];
      if (!stored?.ok || !task?.ok || task.value === null) continue;
      found.set(id, { metadata: stored.value as Metadata, task: task.value as Task });
    }
    return found;
  } catch (error) {
    if (!isFabricError(error, "KB_FORBIDDEN")) throw error;
    if (ids.length === 1) return found;
    const middle = Math.ceil(ids.length / 2);
    for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
      for (const [id, card] of await readCards(ctx, half, signal)) found.set(id, card);
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
