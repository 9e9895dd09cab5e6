// Submission by key: the card is made in Backlog, where no worker looks, and a write-once register decides whose
// card it is. The loser removes its own and returns the winner's.
import {
  createTag,
  createTask,
  FabricError,
  type FabricContext,
  FIELD,
  getTagsByProject,
  getTaskByReference,
  getTask,
  getTaskMetadata,
  isFabricError,
  moveWithinProject,
  type ProjectId,
  type Queue,
  removeTask,
  repeatLocked,
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
  const register = await keyRegister(ctx.me.agent, key);
  const shard = shardProjects(ctx.ledger)[register.hash % ctx.ledger.shards] as ProjectId;
  const own = await draftCard(ctx, queue, draft, key, signal);
  const winner = await decide(ctx, shard, register.name, own, signal);
  if (winner === own) {
    await promote(ctx, queue, own, key, signal);
    return { id: own, created: true };
  }
  await dropDraft(ctx, own, signal);
  await finishWinner(ctx, queue, winner, key, signal);
  return { id: winner, created: false };
}

/**
 * A lost or busy answer may hide a card that was made. Every card with this key's reference in Backlog serves alike: the
 * register decides for one of them.
 */
async function draftCard(
  ctx: FabricContext,
  queue: Queue,
  draft: Draft,
  key: string,
  signal: AbortSignal | undefined,
): Promise<TaskId> {
  const options = { purpose: "submit", signal } as const;
  const { project, columns } = queue;
  const fields = { ...draft, projectId: project, columnId: columns.backlog.id, reference: key };
  try {
    const id = await ctx.client.call(createTask(fields), options);
    if (id === null) throw refused(queue);
    return id;
  } catch (error) {
    if (!isFabricError(error) || error.retryable !== "ambiguous") throw error;
    const found = await ctx.client.call(getTaskByReference(project, key), options);
    if (found === null) throw unknown(error);
    return found.id;
  }
}

/** A draft that stays is an orphan in Backlog, which nobody claims; it is no reason to fail. */
async function dropDraft(
  ctx: FabricContext,
  own: TaskId,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await ctx.client.call(removeTask(own), { purpose: "submit", signal });
  } catch (error) {
    if (!isFabricError(error)) throw error;
  }
}

function unknown(cause?: unknown): FabricError {
  return new FabricError("the board did not say whether the task was created", {
    code: "SUBMIT_UNKNOWN",
    retryable: "ambiguous",
    hint: "Submit again with the same key: whatever was created is found by it.",
    cause,
  });
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
  throw unknown();
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
  const options = { purpose: "submit", signal } as const;
  const procedures = [
    saveTaskMetadata(id, { [FIELD.key]: key }),
    moveWithinProject({
      taskId: id,
      projectId: queue.project,
      column: ready,
      swimlaneId: queue.swimlane,
      ownerId: undefined,
    }),
  ];
  const sent = { procedures, replies: await ctx.client.batch(procedures, options) };
  const replies = await repeatLocked(ctx.client, sent, ["saveTaskMetadata"], options);
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
