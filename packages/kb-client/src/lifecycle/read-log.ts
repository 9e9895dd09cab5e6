// Reads a task's log from its shard together with the floor that garbage collection may have left on the card.
import type { TaskId } from "../ids.ts";
import { aboveFloor, emptyLog, logKey, readLogs, shardOf, type TaskLog } from "../ledger/index.ts";
import { floorOf, type Metadata } from "../projection/index.ts";
import { getTagsByProject, getTaskMetadata, type Purpose } from "../rpc/index.ts";
import type { FabricContext } from "./context.ts";

export interface TaskIdentity {
  id: TaskId;
  /** Epoch seconds. */
  dateCreation: number;
}

export interface LogReading {
  log: TaskLog;
  metadata: Metadata;
}

/** One HTTP request. A deleted task has no metadata any more; its log is still read. */
export async function readLog(
  ctx: FabricContext,
  task: TaskIdentity,
  purpose: Purpose,
  signal?: AbortSignal,
): Promise<LogReading> {
  const [tags, stored] = await ctx.client.batch(
    [getTagsByProject(shardOf(ctx.ledger, task.id)), getTaskMetadata(task.id)],
    { purpose, signal },
  );
  if (!tags.ok) throw tags.error;
  if (!stored.ok) throw stored.error;
  const key = logKey(task);
  const log = readLogs(tags.value).get(key) ?? emptyLog(key);
  return { log: aboveFloor(log, floorOf(stored.value)), metadata: stored.value };
}

/** The log alone, for a task whose card may be gone. */
export async function readLogOnly(
  ctx: FabricContext,
  task: TaskIdentity,
  purpose: Purpose,
  signal?: AbortSignal,
): Promise<TaskLog> {
  const tags = await ctx.client.call(getTagsByProject(shardOf(ctx.ledger, task.id)), {
    purpose,
    signal,
  });
  const key = logKey(task);
  return readLogs(tags).get(key) ?? emptyLog(key);
}
