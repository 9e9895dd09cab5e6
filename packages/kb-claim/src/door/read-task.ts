// Reads everything that is known of one task, whichever queue it lies in.
import {
  aboveFloor,
  emptyLog,
  type FabricContext,
  FabricError,
  floorOf,
  getAllTaskLinks,
  getTagsByProject,
  getTask,
  getTaskMetadata,
  getTaskTags,
  isFabricError,
  logKey,
  type Metadata,
  type Queue,
  readLogs,
  shardOf,
  type Task,
  type TaskId,
  type TaskLink,
  type TaskLog,
} from "@agap/kb-client";
import { bindingOf } from "@agap/fabric";
import type { TaskName } from "../input/task-id.ts";
import { valueOf } from "../lease/open-lease.ts";
import { type Door, enter, queueOfProject, taskRef } from "./door.ts";

export interface TaskReading {
  ctx: FabricContext;
  queue: Queue;
  task: Task;
  log: TaskLog;
  metadata: Metadata;
  tags: readonly string[];
  links: readonly TaskLink[];
}

/**
 * One request; a second where the task lies in another queue than the one first looked into.
 * @throws FabricError `TASK_UNKNOWN`, `QUEUE_UNKNOWN`
 */
export async function readTask(door: Door, name: TaskName): Promise<TaskReading> {
  const known = Object.keys(door.board.queues);
  const first = name.queue ?? door.defaultQueue ?? known[0];
  if (first === undefined) throw unknownTask(door, name.id);
  const found = await readIn(door, first, name.id);
  if (found.task.projectId === found.queue.project) return found;
  const actual = queueOfProject(door, found.task.projectId);
  if (actual === undefined || name.queue !== undefined)
    throw unknownTask(door, name.id, name.queue);
  return readIn(door, actual, name.id);
}

async function readIn(door: Door, queueName: string, id: TaskId): Promise<TaskReading> {
  const reads = [
    getTask(id),
    getTagsByProject(shardOf(bindingOf(door.board), id)),
    getTaskMetadata(id),
    getTaskTags(id),
    getAllTaskLinks(id),
  ] as const;
  try {
    const { ctx, queue, also } = await enter(door, queueName, reads);
    const task = valueOf(also[0]);
    if (task === null) throw unknownTask(door, id);
    const key = logKey(task);
    const metadata = valueOf(also[2]);
    const log = readLogs(valueOf(also[1])).get(key) ?? emptyLog(key);
    return {
      ctx,
      queue,
      task,
      log: aboveFloor(log, floorOf(metadata)),
      metadata,
      tags: valueOf(also[3]),
      links: valueOf(also[4]),
    };
  } catch (error) {
    if (isFabricError(error, "KB_FORBIDDEN")) throw unknownTask(door, id);
    throw error;
  }
}

function unknownTask(door: Door, id: TaskId, queue?: string): FabricError {
  const name = queue === undefined ? `task ${id}` : `task ${taskRef(queue, id)}`;
  const known = Object.keys(door.board.queues).join(", ");
  return new FabricError(`there is no ${name} that this account can see in a queue`, {
    code: "TASK_UNKNOWN",
    retryable: "no",
    hint: `It may be deleted, or lie in a project that is no queue. Queues: ${known === "" ? "none" : known}.`,
  });
}
