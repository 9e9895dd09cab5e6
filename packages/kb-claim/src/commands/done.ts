// done: finishes a held task. The result is a file and a comment on the card; the task is done once the ledger says so.
import { finishDone } from "@agap/kb-client";
import { Command } from "commander";
import { cardUrl, type Door, taskRef } from "../door/door.ts";
import { EXIT } from "../exit-codes.ts";
import { readText } from "../input/text-input.ts";
import { actUnder, lost, markLost } from "../lease/open-lease.ts";
import { type Answer, done as answered, refuse } from "../output/answer.ts";
import type { Act } from "./act.ts";
import { fencedBy, finishAgain } from "./finish.ts";

/** Three requests: look, result with the slot that makes it count, card. */
export async function done(
  door: Door,
  input: { task?: string | undefined; result: string },
): Promise<Answer> {
  if (input.result.trim() === "") {
    return refuse(
      EXIT.badInput,
      "INPUT_TEXT",
      "the result is empty",
      "Nothing was written. Say in a sentence or more what was done.",
    );
  }
  const acting = await actUnder(door, input.task);
  if (!acting.ok) return acting;
  const { queue, lease } = acting;
  const ref = taskRef(queue, lease.task.id);
  const finished = (repeated: boolean): Answer =>
    answered({ task: { id: lease.task.id, ref, url: cardUrl(door, lease.task.id) }, repeated }, [
      repeated ? `${ref} had been finished before; nothing changed.` : `${ref} is done.`,
      "It stays open until somebody else closes it: that verifies it.",
      `kb-claim take --queue ${queue.name}`,
    ]);
  if (acting.is === "ended") return finishAgain(door, acting, "d", () => finished(true));
  const result = await finishDone(acting.ctx, acting.held, input.result, door.signal);
  if (result.outcome === "done") {
    await door.leases.remove(lease);
    return finished(false);
  }
  const why = fencedBy(result);
  await markLost(door, lease, why);
  return lost(lease, why);
}

export function command(act: Act): Command {
  return new Command("done")
    .description("Finish a task that this session holds, with its result")
    .argument("[task]", "42, #42, local#42 or the card's address; not needed while you hold one")
    .option("-n, --note <text>", "the result, Markdown")
    .option("-f, --file <path>", "read the result from a file")
    .option("--stdin", "read the result from the standard input")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      '\nExamples:\n  kb-claim done --note "Fixed in 1a2b3c"\n  kb-claim done 42 --file answer.md\n  git log -1 | kb-claim done 42 --stdin',
    )
    .action((task: string | undefined, options: Options) =>
      act("done", options, async (door, { stdin }) => {
        const source = { text: options.note, file: options.file, stdin: options.stdin };
        const result = await readText(source, stdin, "--note, --file and --stdin");
        if (result !== undefined) return done(door, { task, result });
        return refuse(
          EXIT.usage,
          "CLI_USAGE",
          "done needs the result",
          "Add --note TEXT, --file PATH or --stdin.",
        );
      }),
    );
}

interface Options {
  note?: string;
  file?: string;
  stdin?: boolean;
  json?: true;
}
