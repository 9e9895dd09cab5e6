// Carries out one row of the gesture table: the slots first, in order, then the card.
import type { Nonce } from "../ids.ts";
import { CLAIMABLE, next, NONCE_LENGTH, type Slot, type TaskLog } from "../ledger/index.ts";
import {
  encodeCardRecord,
  encodeHint,
  FIELD,
  gestureComment,
  type GestureRow,
  type Place,
} from "../projection/index.ts";
import { columnOf, type Queue, roleOf, TAGS } from "../queue/index.ts";
import {
  closeTask,
  createComment,
  getTaskTags,
  moveWithinProject,
  type Procedure,
  saveTaskMetadata,
  setTaskTags,
  type Task,
  updateTask,
} from "../rpc/index.ts";
import { append } from "./append.ts";
import { beatNow, type FabricContext } from "./context.ts";

export function placeOf(queue: Queue, task: Task): Place {
  if (task.projectId !== queue.project) return "elsewhere";
  return task.isActive ? roleOf(queue, task.columnId) : "closed";
}

/**
 * @returns the log as it stands afterwards, or null when another process wrote first; the next sweep looks again
 */
export async function applyGesture(
  ctx: FabricContext,
  queue: Queue,
  seen: { task: Task; log: TaskLog; place: Place; row: GestureRow },
  signal?: AbortSignal,
): Promise<TaskLog | null> {
  let { log } = seen;
  const { task, place, row } = seen;
  for (const kind of row.writes) {
    const planned = next(log, {
      type: "record",
      kind,
      agent: ctx.me.agent,
      nonce: ctx.random.base36(NONCE_LENGTH) as Nonce,
      beat: beatNow(ctx),
    });
    if (!planned.ok) return null;
    const appended = await append(ctx, task, planned.slot, { purpose: "sweep", signal });
    if (appended.outcome === "lost") return null;
    log = { ...log, slots: [...log.slots, appended.slot], head: appended.slot };
  }
  if (place !== "deleted") await tidyCard(ctx, queue, { task, log, row }, signal);
  if (row.writes.length > 0 || row.event) {
    ctx.emit(row.event ?? "gesture.recorded", { task: task.id, place, slots: row.writes.join("") });
  }
  return log;
}

async function tidyCard(
  ctx: FabricContext,
  queue: Queue,
  seen: { task: Task; log: TaskLog; row: GestureRow },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { task, log, row } = seen;
  const n = log.head?.n ?? log.floor;
  const steps: Procedure<unknown>[] = [];
  const { card } = row;
  if (card?.untag || card?.tagDead) {
    const tags = await ctx.client.call(getTaskTags(task.id), { purpose: "sweep", signal });
    const kept = tags.filter((tag) => tag !== TAGS.blocked && tag !== TAGS.deadLetter);
    if (card.tagDead) kept.push(TAGS.deadLetter);
    steps.push(setTaskTags(task.projectId, task.id, kept));
  }
  let { columnId } = task;
  if (card?.moveTo) {
    const to = columnOf(queue, card.moveTo);
    columnId = to.id;
    steps.push(
      moveWithinProject({
        taskId: task.id,
        projectId: queue.project,
        column: to,
        swimlaneId: task.swimlaneId,
        ownerId: card.unassign ? null : undefined,
      }),
    );
  } else if (card?.unassign && task.ownerId !== null) {
    steps.push(updateTask(task.id, { ownerId: null }));
  }
  if (row.says !== undefined) {
    steps.push(
      createComment({
        taskId: task.id,
        userId: ctx.me.userId,
        content: gestureComment(row.says, n),
      }),
    );
  }
  steps.push(
    saveTaskMetadata(task.id, recordOf(log.head, n, { columnId, dateMoved: task.dateMoved })),
  );
  if (card?.close) steps.push(closeTask(task.id));
  await ctx.client.batch(steps, { purpose: "sweep", signal });
}

function recordOf(
  head: Slot | null,
  n: number,
  at: { columnId: Task["columnId"]; dateMoved: number },
): Record<string, string> {
  const fields: Record<string, string> = { [FIELD.card]: encodeCardRecord({ n, ...at }) };
  if (head && CLAIMABLE.has(head.kind)) fields[FIELD.head] = encodeHint(head.key, head.n);
  return fields;
}
