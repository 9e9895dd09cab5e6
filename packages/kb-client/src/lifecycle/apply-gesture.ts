// Carries out one row of the gesture table: the slots first, in order, then the card.
import type { Nonce } from "../ids.ts";
import { CLAIMABLE, next, NONCE_LENGTH, type Slot, type TaskLog } from "../ledger/index.ts";
import {
  cardRecord,
  encodeCardRecord,
  encodeHint,
  encodeWait,
  FIELD,
  gestureComment,
  type GestureRow,
  type Metadata,
  type Place,
} from "../projection/index.ts";
import { columnOf, type Queue, roleOf, TAGS } from "../queue/index.ts";
import {
  closeTask,
  createComment,
  getTaskTags,
  type Procedure,
  saveTaskMetadata,
  setTaskTags,
  type Task,
  updateTask,
} from "../rpc/index.ts";
import { append } from "./append.ts";
import { beatNow, type FabricContext } from "./context.ts";
import { moveCard } from "./move-card.ts";
import { repeatLocked } from "./repeat-locked.ts";
import { forget } from "./show-head.ts";

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
  seen: { task: Task; log: TaskLog; place: Place; row: GestureRow; metadata?: Metadata },
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
  if (place !== "deleted") await tidyCard(ctx, queue, { ...seen, log }, signal);
  if (row.writes.length > 0 || row.event) {
    ctx.emit(row.event ?? "gesture.recorded", { task: task.id, place, slots: row.writes.join("") });
  }
  return log;
}

/** Elements of `tidyCard` that say the same however often. */
const REPEATABLE = ["setTaskTags", "updateTask", "saveTaskMetadata", "closeTask"];

async function tidyCard(
  ctx: FabricContext,
  queue: Queue,
  seen: { task: Task; log: TaskLog; row: GestureRow; place: Place; metadata?: Metadata },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { task, log, row, place, metadata = {} } = seen;
  const n = log.head?.n ?? log.floor;
  const steps: Procedure<unknown>[] = [];
  const { card } = row;
  if (card?.untag || card?.tagDead) {
    const tags = await ctx.client.call(getTaskTags(task.id), { purpose: "sweep", signal });
    const kept = tags.filter((tag) => tag !== TAGS.blocked && tag !== TAGS.deadLetter);
    if (card.tagDead) kept.push(TAGS.deadLetter);
    steps.push(setTaskTags(task.projectId, task.id, kept));
  }
  const to = card?.moveTo ? columnOf(queue, card.moveTo) : null;
  if (to === null && card?.unassign && task.ownerId !== null) {
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
  const columnId = to?.id ?? task.columnId;
  const record = recordOf(log.head, n, { columnId, dateMoved: task.dateMoved }, place);
  steps.push(saveTaskMetadata(task.id, record));
  if (card?.close) steps.push(closeTask(task.id));
  const options = { purpose: "sweep", signal } as const;
  if (to === null) {
    const replies = await ctx.client.batch(steps, options);
    await repeatLocked(ctx.client, { procedures: steps, replies }, REPEATABLE, options);
    return;
  }
  const owner = card?.unassign ? null : undefined;
  const move = { expected: task, to, owner, also: steps, purpose: options.purpose };
  const moved = await moveCard(ctx.client, queue, move, signal);
  if (moved.outcome === "disturbed") {
    await forget(ctx, task, cardRecord(metadata), options.purpose, signal);
  }
}

function recordOf(
  head: Slot | null,
  n: number,
  at: { columnId: Task["columnId"]; dateMoved: number },
  place: Place,
): Record<string, string> {
  const fields: Record<string, string> = { [FIELD.card]: encodeCardRecord({ n, ...at }) };
  if (head && CLAIMABLE.has(head.kind)) fields[FIELD.head] = encodeHint(head.key, head.n);
  // What a person drags to Backlog is held: its retry must not put it back into Ready.
  if (place === "backlog" && (head?.kind === "f" || head?.kind === "p")) {
    fields[FIELD.wait] = encodeWait(n, { human: true });
  }
  return fields;
}
