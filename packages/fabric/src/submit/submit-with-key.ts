// Submission by key: the card is made in Backlog, where no worker looks, and a write-once register decides whose
// card it is. The loser removes its own and returns the winner's.
import {
  createTag,
  createTask,
  FabricError,
  type FabricContext,
  FIELD,
  getTagsByProject,
  getTask,
  getTaskMetadata,
  isFabricError,
  moveWithinProject,
  type ProjectId,
  type Queue,
  removeTask,
  saveTaskMetadata,
  shardProjects,
  type TaskId,
} from "@agap/kb-client";
import { keyRegister } from "./key-register.ts";
import { refused, type Submitted } from "./submitted.ts";

interface Draft {
  title: string;
  description: string;
  score: number;
  priority: number;
  dateDue?: string | undefined;
}

/** Three requests for a new key. */
export async function submitWithKey(
  ctx: FabricContext,
  queue: Queue,
  draft: Draft,
  key: string,
  signal?: AbortSignal,
): Promise<Submitted> {
  const options = { purpose: "submit", signal } as const;
  const register = await keyRegister(ctx.me.agent, key);
  const shard = shardProjects(ctx.ledger)[register.hash % ctx.ledger.shards] as ProjectId;
  const own = await ctx.client.call(
    createTask({
      ...draft,
      projectId: queue.project,
      columnId: queue.columns.backlog.id,
      reference: key,
    }),
    options,
  );
  if (own === null) throw refused(queue);
  const winner = await decide(ctx, shard, register.name, own, signal);
  if (winner === own) {
    await promote(ctx, queue, own, key, signal);
    return { id: own, created: true };
  }
  await ctx.client.call(removeTask(own), options);
  await finishWinner(ctx, queue, winner, key, signal);
  return { id: winner, created: false };
}

/** @returns the task that the key stands for */
async function decide(
  ctx: FabricContext,
  shard: ProjectId,
  name: string,
  own: TaskId,
  signal: AbortSignal | undefined,
): Promise<TaskId> {
  const options = { purpose: "submit", signal } as const;
  try {
    const tag = await ctx.client.call(createTag(shard, name, `${own}`), options);
    if (tag !== null) return own;
  } catch (error) {
    if (!isFabricError(error) || error.retryable === "no") throw error;
  }
  const tags = await ctx.client.call(getTagsByProject(shard), options);
  const found = tags.find((tag) => tag.name === name);
  const id = Number(found?.color ?? Number.NaN);
  if (Number.isInteger(id) && id > 0) return id as TaskId;
  throw new FabricError("the board did not say whose the key is", {
    code: "SUBMIT_UNKNOWN",
    retryable: "ambiguous",
    hint: "Submit again with the same key: whatever was created is found by it.",
  });
}

/** Provenance first, then Ready: no worker sees a card before it is complete. */
async function promote(
  ctx: FabricContext,
  queue: Queue,
  id: TaskId,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ready = queue.columns.ready;
  const replies = await ctx.client.batch(
    [
      saveTaskMetadata(id, { [FIELD.key]: key }),
      moveWithinProject({
        taskId: id,
        projectId: queue.project,
        column: ready,
        swimlaneId: queue.swimlane,
        ownerId: undefined,
      }),
    ],
    { purpose: "submit", signal },
  );
  for (const reply of replies) if (!reply.ok) throw reply.error;
}

/**
 * The winner may have died, or met a busy board, between the register and the move: whoever meets its card where it
 * was made finishes it. The task of an old key may have been deleted since; the key still stands for it.
 */
async function finishWinner(
  ctx: FabricContext,
  queue: Queue,
  id: TaskId,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const [task, metadata] = await ctx.client.batch([getTask(id), getTaskMetadata(id)], {
      purpose: "submit",
      signal,
    });
    if (!task.ok || task.value === null || !metadata.ok) return;
    const { isActive, columnId, dateMoved, dateCreation } = task.value;
    const waits = isActive && columnId === queue.columns.backlog.id;
    // Nobody dragged it and no log was ever shown on it: it never left the column it was made in.
    if (waits && dateMoved === dateCreation && metadata.value[FIELD.card] === undefined) {
      await promote(ctx, queue, id, key, signal);
    }
  } catch (error) {
    if (!isFabricError(error, "KB_FORBIDDEN")) throw error;
  }
}
