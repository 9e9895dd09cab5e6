// lease-status: what this session holds, and whether the ledger still agrees.
import { Command } from "commander";
import type { Door } from "../door/door.ts";
import { EXIT } from "../exit-codes.ts";
import { findLease, nameOf } from "../lease/find-lease.ts";
import type { LeaseFile } from "../lease/lease-file.ts";
import { renewBefore, timeLeft } from "../lease/lease-time.ts";
import { actUnder } from "../lease/open-lease.ts";
import { recover } from "../lease/recover.ts";
import { type Answer, done } from "../output/answer.ts";
import { printableLine } from "../output/printable.ts";
import { duration, localTime } from "../output/times.ts";
import type { Act } from "./act.ts";

/** One request per lease; none where there is nothing to ask about. A named lease that is lost exits 12. */
export async function leaseStatus(
  door: Door,
  input: { task?: string | undefined },
): Promise<Answer> {
  if (input.task !== undefined) {
    const found = await findLease(door, input.task);
    return found.ok ? statusOf(door, found.lease) : found;
  }
  const mine = await door.leases.mine();
  if (mine.length === 0) {
    return done({ leases: [] }, ["This session holds no task.", "kb-claim take"]);
  }
  const answers: Answer[] = [];
  for (const lease of mine) answers.push(await statusOf(door, lease));
  return done(
    { leases: answers.map((answer, i) => facts(answer, mine[i])) },
    answers.flatMap((answer) => (answer.ok ? answer.lines : [printableLine(answer.message)])),
  );
}

function facts(answer: Answer, lease: LeaseFile | undefined): Record<string, unknown> {
  if (answer.ok) return { ...answer.data };
  const ref = lease ? nameOf(lease) : null;
  const { code, message } = answer;
  return { ref, state: answer.exit === EXIT.leaseLost ? "lost" : "unknown", code, message };
}

async function statusOf(door: Door, lease: LeaseFile): Promise<Answer> {
  const found = lease.state === "intended" ? await recover(door, lease) : null;
  const current = found?.lease ?? lease;
  const acting = await actUnder(door, nameOf(current));
  if (!acting.ok) return acting;
  const { queue } = acting;
  const ref = nameOf(current);
  const title = printableLine(current.task.title);
  if (acting.is === "ended") {
    await door.leases.remove(current);
    return done({ ref, state: "ended", by: acting.by.kind }, [
      `${ref}  ended by an earlier command of this session  ${title}`,
    ]);
  }
  const left = timeLeft(door, current, queue.rules);
  const until = renewBefore(door, current, queue.rules);
  const { slot } = acting.held;
  const when =
    left > 0
      ? `renew before ${localTime(until)}, in ${duration(left)}`
      : `not renewed in time, but nobody has taken it over: finish or release it now`;
  return done(
    {
      ref,
      id: current.task.id,
      state: left > 0 ? "held" : "overdue",
      epoch: slot.n,
      leaseMs: queue.rules.leaseMs,
      renewBefore: new Date(until).toISOString(),
    },
    [
      `${ref}  epoch ${slot.n}  ${when}  ${title}`,
      left > 0
        ? `kb-claim renew ${current.task.id}`
        : `kb-claim done ${current.task.id} --note "…"`,
    ],
  );
}

export function command(act: Act): Command {
  return new Command("lease-status")
    .description("Say what this session holds, until when, and whether the ledger agrees")
    .argument("[task]", "42, #42, local#42 or the card's address")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  kb-claim lease-status\n  kb-claim lease-status 42 --json")
    .action((task: string | undefined, options: { json?: true }) =>
      act("lease-status", options, (door) => leaseStatus(door, { task })),
    );
}
