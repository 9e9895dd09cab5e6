// release: hands a held task back to the queue; no attempt is used up.
import { finishReleased } from "@agap/kb-client";
import { Command } from "commander";
import { type Door, taskRef } from "../door/door.ts";
import { actUnder, lost, markLost } from "../lease/open-lease.ts";
import { type Answer, done as answered } from "../output/answer.ts";
import type { Act } from "./act.ts";
import { fencedBy, finishAgain } from "./finish.ts";

/** Three requests: look, slot, card. */
export async function release(
  door: Door,
  input: { task?: string | undefined; reason?: string | undefined },
): Promise<Answer> {
  const acting = await actUnder(door, input.task);
  if (!acting.ok) return acting;
  const { queue, lease } = acting;
  const ref = taskRef(queue, lease.task.id);
  const released = (repeated: boolean): Answer =>
    answered({ task: { id: lease.task.id, ref }, repeated }, [
      repeated
        ? `${ref} had been given back before; nothing changed.`
        : `${ref} is back in ${queue.name}.`,
      `kb-claim next --queue ${queue.name}`,
    ]);
  if (acting.is === "ended") return finishAgain(door, acting, "r", () => released(true));
  const reason = input.reason?.trim() || `by ${door.account}`;
  const result = await finishReleased(acting.ctx, acting.held, reason, door.signal);
  if (result.outcome === "released") {
    await door.leases.remove(lease);
    return released(false);
  }
  const why = fencedBy(result);
  await markLost(door, lease, why);
  return lost(lease, why);
}

export function command(act: Act): Command {
  return new Command("release")
    .description("Hand a task back to its queue; no attempt is used up")
    .argument("[task]", "42, #42, local#42 or the card's address; not needed while you hold one")
    .option("-r, --reason <text>", "why, told on the card")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      '\nExamples:\n  kb-claim release\n  kb-claim release 42 --reason "needs a GPU"',
    )
    .action((task: string | undefined, options: { reason?: string; json?: true }) =>
      act("release", options, (door) => release(door, { task, reason: options.reason })),
    );
}
