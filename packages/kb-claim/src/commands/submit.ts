// submit: puts a task on a queue, and with --wait follows it to its answer.
import { type FabricContext, FabricError, setDueDate, type TaskId } from "@agap/kb-client";
import { submit as submitTask } from "@agap/fabric";
import { Command } from "commander";
import { cardUrl, chooseQueue, type Door, enter, taskRef } from "../door/door.ts";
import { parseDue } from "../input/due.ts";
import { parseSpan } from "../input/duration.ts";
import { readText } from "../input/text-input.ts";
import { type Answer, done } from "../output/answer.ts";
import { localTime } from "../output/times.ts";
import type { Act } from "./act.ts";
import { waitFor } from "./wait-for.ts";

export interface SubmitInput {
  intent: string;
  queue?: string | undefined;
  description?: string | undefined;
  key?: string | undefined;
  score?: number | undefined;
  priority?: number | undefined;
  /** As typed. */
  due?: string | undefined;
  /** Milliseconds to wait for the answer; left out: not at all. */
  waitMs?: number | undefined;
}

/** Two requests: look, create; two more with a key, and two with a due date. */
export async function submit(door: Door, input: SubmitInput): Promise<Answer> {
  const { intent, description, key, score, priority } = input;
  const name = chooseQueue(door, input.queue);
  const due = input.due === undefined ? undefined : parseDue(input.due, door.clock.now());
  const { ctx, queue } = await enter(door, name, []);
  const submission = {
    title: intent,
    ...(description === undefined ? {} : { description }),
    ...(key === undefined ? {} : { key }),
    ...(score === undefined ? {} : { score }),
    ...(priority === undefined ? {} : { priority }),
  };
  const { id, created } = await submitTask(ctx, queue, submission, door.signal);
  const ref = taskRef(queue, id);
  const stored = due === undefined ? null : await setDue(door, ctx, id, due);
  const dates = stored === null ? {} : { due: new Date(stored * 1000).toISOString() };
  const task = { id, ref, queue: name, url: cardUrl(door, id), ...dates };
  const lines = [
    created ? `${ref} submitted.` : `${ref} was submitted before with this key; nothing changed.`,
    ...(stored === null ? [] : [`due ${localTime(stored * 1000)}`]),
    cardUrl(door, id),
  ];
  if (input.waitMs === undefined) return done({ task, created }, [...lines, `kb-claim why ${ref}`]);
  return waitFor(door, { name: { id, queue: name }, task, created, lines }, input.waitMs);
}

/**
 * After the card, in a request of its own: the first call of a request is read in another zone.
 * @returns what the board has stored, epoch seconds
 */
async function setDue(door: Door, ctx: FabricContext, id: TaskId, due: number): Promise<number> {
  const options = { purpose: "submit", signal: door.signal } as const;
  const set = await setDueDate(ctx.client, id, due, options);
  if (set.outcome === "set") return due;
  if (set.outcome === "shifted" && set.stored !== null) return set.stored;
  throw new FabricError(`task ${id} was created, but Kanboard refused its due date`, {
    code: "SUBMIT_NO_DUE_DATE",
    retryable: "no",
    hint: `Set it on the card: ${cardUrl(door, id)}`,
  });
}

/** @throws FabricError `INPUT_NUMBER` */
function number(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new FabricError(`${JSON.stringify(text)} is no number for ${option}`, {
    code: "INPUT_NUMBER",
    retryable: "no",
    hint: "Nothing was created. --score takes 0 to 100, --priority 0 to 3.",
  });
}

interface Options {
  queue?: string;
  description?: string;
  file?: string;
  stdin?: boolean;
  key?: string;
  score?: string;
  priority?: string;
  due?: string;
  wait?: boolean;
  timeout: string;
  json?: true;
}

export function command(act: Act): Command {
  return new Command("submit")
    .description("Put a task on a queue")
    .argument("<intent>", "what is to be done, in one line; the card's title")
    .option("-q, --queue <queue>", "queue to put it on; not needed where there is only one")
    .option("-d, --description <text>", "the whole task, Markdown; kept verbatim")
    .option("-f, --file <path>", "read the description from a file")
    .option("--stdin", "read the description from the standard input")
    .option("-k, --key <key>", "the same key is the same task, however often it is submitted")
    .option("-s, --score <number>", "complexity, 0 to 100: 1-2 haiku, 3-5 sonnet, above opus")
    .option("-p, --priority <number>", "0 to 3; by default 1 is taken first, then 2, 0, 3")
    .option(
      "--due <when>",
      'such as 2026-01-31, "2026-01-31 14:00", 2026-01-31T14:00+01:00, +2h, +3d',
    )
    .option("-w, --wait", "wait for the answer and print it")
    .option("--timeout <span>", "how long --wait waits, such as 90s, 5m, 2h", "5m")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      '\nExamples:\n  kb-claim submit "Summarise the release notes" --queue local --wait\n' +
        '  kb-claim submit "Fix the build" --file task.md --score 3 --priority 1\n' +
        '  git diff | kb-claim submit "Review this diff" --stdin --key review-1a2b3c',
    )
    .action((intent: string, options: Options) =>
      act("submit", options, async (door, { stdin }) => {
        const source = { text: options.description, file: options.file, stdin: options.stdin };
        return submit(door, {
          intent,
          queue: options.queue,
          description: await readText(source, stdin, "--description, --file and --stdin"),
          key: options.key,
          score: number(options.score, "--score"),
          priority: number(options.priority, "--priority"),
          due: options.due,
          waitMs: options.wait ? parseSpan(options.timeout, "--timeout") : undefined,
        });
      }),
    );
}
