// next: shows the task that take would claim, and claims nothing.
import {
  type ColumnId,
  eligible,
  type ProjectId,
  type Random,
  rank,
  readyReads,
  type Task,
} from "@agap/kb-client";
import { queueEntry } from "@agap/fabric";
import { Command } from "commander";
import { chooseQueue, type Door, enter } from "../door/door.ts";
import { EXIT } from "../exit-codes.ts";
import { valueOf } from "../lease/open-lease.ts";
import { type Answer, done } from "../output/answer.ts";
import type { Act } from "./act.ts";
import { taskData, taskLine } from "./describe-task.ts";

/** One request. */
export async function next(door: Door, input: { queue?: string | undefined }): Promise<Answer> {
  const name = chooseQueue(door, input.queue);
  const { queue, also } = await enter(door, name, readsOf(door, name));
  const cards = eligible(valueOf(also[0]), valueOf(also[1]), queue.rules);
  const [best] = inOrder(cards, queue.rules.takeOrder);
  if (best === undefined) return nothing(name);
  const count = cards.length === 1 ? "1 task" : `${cards.length} tasks`;
  return done({ queue: name, task: taskData(door, name, best), eligible: cards.length }, [
    taskLine(name, best),
    `${count} may be claimed in ${name}.`,
    `kb-claim take --queue ${name}`,
  ]);
}

export function readsOf(door: Door, name: string): ReturnType<typeof readyReads> {
  const entry = queueEntry(door.board, name);
  return readyReads(entry.project as ProjectId, entry.columns.ready as ColumnId);
}

/** A shuffle that leaves everything in place: what `next` names is what `take` tries first. */
const UNSHUFFLED: Random = { next: () => 1 - Number.EPSILON, base36: () => "" };

export function inOrder(cards: readonly Task[], takeOrder: readonly number[]): Task[] {
  return rank(cards, takeOrder, UNSHUFFLED);
}

export function nothing(queue: string): Answer {
  return done(
    { queue, task: null, eligible: 0 },
    [`Nothing in ${queue} may be claimed now.`, `kb-claim submit "…" --queue ${queue}`],
    EXIT.nothingEligible,
  );
}

export function command(act: Act): Command {
  return new Command("next")
    .description("Show the task that take would claim; claims nothing")
    .option("-q, --queue <queue>", "queue to look at; not needed where there is only one")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  kb-claim next --queue local\n  kb-claim next --json")
    .action((options: { queue?: string; json?: true }) =>
      act("next", options, (door) => next(door, options)),
    );
}
