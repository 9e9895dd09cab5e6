// What take prints: the task, until when its lease must be renewed, its text verbatim, and what to do when finished.
import type { Comment, Queue } from "@agap/kb-client";
import { cardUrl, type Door } from "../door/door.ts";
import type { HeldLease } from "../lease/lease-file.ts";
import { renewBefore } from "../lease/lease-time.ts";
import { type Answer, done } from "../output/answer.ts";
import { printable, printableLine } from "../output/printable.ts";
import { duration, localTime } from "../output/times.ts";
import { specLines, taskData, taskLine } from "./describe-task.ts";

/** The last ones: earlier talk is on the card. */
const MAX_COMMENTS = 10;

export interface Spoken {
  comments: readonly Comment[];
  /** The claim was won by an earlier command of this session that never saw the answer. */
  recovered?: true;
}

export function taken(door: Door, queue: Queue, lease: HeldLease, spoken: Spoken): Answer {
  const { task, epoch } = lease;
  const before = renewBefore(door, lease, queue.rules);
  const said = spoken.comments.filter((comment) => !/^(?:🔒|🔓)/u.test(comment.text));
  const data = {
    queue: queue.name,
    recovered: spoken.recovered ?? false,
    task: {
      ...taskData(door, queue.name, task),
      description: task.description,
      comments: said.map(({ username, text, dateCreation }) => ({
        by: username,
        at: new Date(dateCreation * 1000).toISOString(),
        text,
      })),
    },
    lease: {
      epoch,
      leaseMs: queue.rules.leaseMs,
      renewBefore: new Date(before).toISOString(),
    },
  };
  const every = duration(queue.rules.leaseMs / 2);
  return done(data, [
    ...(spoken.recovered ? ["An earlier take of this session had won this task:"] : []),
    taskLine(queue.name, task),
    cardUrl(door, task.id),
    `Lease: epoch ${epoch}; renew before ${localTime(before)}, best every ${every}: kb-claim renew ${task.id}`,
    ...specLines(task),
    ...commentLines(said),
    `kb-claim done ${task.id} --note "…"`,
  ]);
}

function commentLines(comments: readonly Comment[]): string[] {
  if (comments.length === 0) return [];
  const shown = comments.slice(-MAX_COMMENTS);
  const head = `--- comments (${shown.length} of ${comments.length}) ---`;
  const lines = shown.map(
    ({ username, text, dateCreation }) =>
      `${printableLine(username ?? "the application")}, ${localTime(dateCreation * 1000)}: ${printable(text)}`,
  );
  return [head, ...lines, "--- end of comments ---"];
}
