// Moves a card in one request and undoes the move when a person touched it in between. Kanboard has no conditional
// write: the batch reads the card just before it moves it, and what was read then decides.
import { isFabricError } from "../errors.ts";
import type { UserId } from "../ids.ts";
import type { Queue } from "../queue/index.ts";
import { repeatLocked } from "./repeat-locked.ts";
import {
  closeTask,
  type Column,
  type KanboardClient,
  getTask,
  moveTaskToProject,
  moveWithinProject,
  type Outcome,
  type Procedure,
  type Purpose,
  type Task,
} from "../rpc/index.ts";

export interface CardMove {
  /** The card as it was last read; a difference in place, owner or openness means that a person was faster. */
  expected: Task;
  to: Column;
  /** `null` takes the owner off, `undefined` keeps it. */
  owner: UserId | null | undefined;
  /** Comments, tags and metadata that go with the move, in the same request. */
  also: readonly Procedure<unknown>[];
  purpose: Purpose;
}

export type Moved =
  | { outcome: "moved"; task: Task; results: unknown[] }
  /** A person had moved, closed or assigned it: it was put back exactly as `task` says. */
  | { outcome: "disturbed"; task: Task }
  | { outcome: "gone" };

export async function moveCard(
  client: KanboardClient,
  queue: Queue,
  move: CardMove,
  signal?: AbortSignal,
): Promise<Moved> {
  const { expected, to, owner, also, purpose } = move;
  let replies: readonly [Outcome<Task | null>, Outcome<boolean>, ...Outcome<unknown>[]];
  try {
    replies = await client.batch(
      [
        getTask(expected.id),
        moveWithinProject({
          taskId: expected.id,
          projectId: queue.project,
          column: to,
          swimlaneId: expected.swimlaneId,
          ownerId: owner,
        }),
        ...also,
      ],
      { purpose, signal },
    );
  } catch (error) {
    if (isFabricError(error, "KB_FORBIDDEN") && (await isGone(client, expected.id, signal))) {
      return { outcome: "gone" };
    }
    throw error;
  }
  const [read, first, ...others] = replies;
  const sent = { procedures: also, replies: others };
  const rest = [
    first,
    ...(await repeatLocked(client, sent, ["saveTaskMetadata"], { purpose, signal })),
  ];
  if (!read.ok) throw read.error;
  const task = read.value;
  if (task === null) return { outcome: "gone" };
  if (isSamePlace(task, expected) || hasArrived(task, move, queue)) {
    const failed = rest.find((reply) => !reply.ok);
    if (failed && !failed.ok) throw failed.error;
    return {
      outcome: "moved",
      task,
      results: rest.slice(1).map((reply) => reply.ok && reply.value),
    };
  }
  await putBack(client, task, purpose, signal);
  return { outcome: "disturbed", task };
}

/** The same request had been carried out before and its first answer was lost, or the network sent it twice. */
function hasArrived(task: Task, { to, owner }: CardMove, queue: Queue): boolean {
  return (
    task.isActive &&
    task.projectId === queue.project &&
    task.columnId === to.id &&
    (owner === undefined || task.ownerId === owner)
  );
}

/**
 * A user token gets 403 for a deleted card, and for a deleted comment at the end of the batch. Asked for alone, the
 * card tells which; a project that can't be read at all looks the same, so this is no proof that the card is deleted.
 */
async function isGone(
  client: KanboardClient,
  id: Task["id"],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await client.call(getTask(id), { purpose: "read", signal })) === null;
  } catch (error) {
    if (isFabricError(error, "KB_FORBIDDEN")) return true;
    throw error;
  }
}

function isSamePlace(a: Task, b: Task): boolean {
  return (
    a.isActive === b.isActive &&
    a.projectId === b.projectId &&
    a.columnId === b.columnId &&
    a.ownerId === b.ownerId
  );
}

/** Kanboard's move reopened a closed card, or pulled it back from another project: both are undone. */
async function putBack(
  client: KanboardClient,
  task: Task,
  purpose: Purpose,
  signal: AbortSignal | undefined,
): Promise<void> {
  const back = moveTaskToProject({
    taskId: task.id,
    projectId: task.projectId,
    columnId: task.columnId,
    swimlaneId: task.swimlaneId,
    ownerId: task.ownerId,
  });
  await client.batch(task.isActive ? [back] : [back, closeTask(task.id)], { purpose, signal });
}
