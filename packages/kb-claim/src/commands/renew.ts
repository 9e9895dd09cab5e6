// renew: confirms the lease of a task, or of every task that this session holds.
import { LeaseKeeper } from "@agap/kb-client";
import { Command } from "commander";
import { taskRef, type Door } from "../door/door.ts";
import { EXIT } from "../exit-codes.ts";
import { nameOf } from "../lease/find-lease.ts";
import { leaseOf } from "../lease/held-lease.ts";
import { renewBefore, timeLeft } from "../lease/lease-time.ts";
import { actUnder, lost, markLost } from "../lease/open-lease.ts";
import { type Answer, done, type Refused, refuse } from "../output/answer.ts";
import { duration, localTime } from "../output/times.ts";
import type { Act } from "./act.ts";

/** Two requests per task: look, then the heartbeat, which counts only when it is read back. */
export async function renew(door: Door, input: { task?: string | undefined }): Promise<Answer> {
  const names = input.task === undefined ? await allNames(door) : [input.task];
  if (names.length === 0) return renewOne(door, undefined);
  const renewed: Answer[] = [];
  for (const name of names) renewed.push(await renewOne(door, name));
  const refusal = renewed.find((answer) => !answer.ok);
  if (refusal) return refusal;
  const answers = renewed.filter((answer) => answer.ok);
  return done(
    { tasks: answers.map((answer) => answer.data) },
    answers.flatMap((answer) => answer.lines),
  );
}

async function allNames(door: Door): Promise<string[]> {
  const mine = await door.leases.mine();
  return mine.filter((lease) => lease.state !== "lost").map(nameOf);
}

async function renewOne(door: Door, named: string | undefined): Promise<Answer> {
  const acting = await actUnder(door, named);
  if (!acting.ok) return acting;
  const { ctx, queue, lease } = acting;
  if (acting.is === "ended") {
    await door.leases.remove(lease);
    return lost(lease, "an earlier command of this session has ended it");
  }
  const { held } = acting;
  if (timeLeft(door, lease, queue.rules) <= 0) return overdue(door, lease, queue.rules.leaseMs);
  const keeper = new LeaseKeeper({ ...ctx, emit: door.emit });
  keeper.add(held);
  const before = held.confirmedAt;
  await keeper.beat(door.signal);
  if (held.lost.signal.aborted) {
    const reason: unknown = held.lost.signal.reason;
    const why = (reason instanceof Error ? reason.message : String(reason)).replace(
      /^lease lost: /,
      "",
    );
    await markLost(door, lease, why);
    return lost(lease, why);
  }
  if (held.confirmedAt === before) return unconfirmed(lease, renewBefore(door, lease, queue.rules));
  const next = leaseOf(door, held, door.leases.session);
  await door.leases.write(next);
  const until = renewBefore(door, next, queue.rules);
  return done(
    {
      id: held.task.id,
      ref: taskRef(queue, held.task.id),
      epoch: held.slot.n,
      renewBefore: new Date(until).toISOString(),
    },
    [`${taskRef(queue, held.task.id)} renewed; again before ${localTime(until)}.`],
  );
}

/**
 * A heartbeat this late could cross with a reaper that has just seen the old one: both would believe that they won.
 * Finishing is safe all the same, since only one of them can write the next slot.
 */
function overdue(
  door: Door,
  lease: Parameters<typeof nameOf>[0] & Parameters<typeof renewBefore>[1],
  leaseMs: number,
): Refused {
  const name = nameOf(lease);
  return refuse(
    EXIT.leaseLost,
    "LEASE_OVERDUE",
    `${name} was not renewed in time: its lease is ${duration(leaseMs)}, the last confirmed renewal was sent at ${localTime(lease.sentAt.wall)}`,
    `Nobody has taken it over yet. kb-claim done ${name} still counts if nobody is faster; kb-claim release ${name} hands it back.`,
    { task: { id: lease.task.id, ref: name } },
  );
}

function unconfirmed(lease: Parameters<typeof nameOf>[0], until: number): Refused {
  const name = nameOf(lease);
  return refuse(
    EXIT.unreachable,
    "LEASE_UNCONFIRMED",
    `the board did not confirm the renewal of ${name}`,
    `Try again: the lease holds until ${localTime(until)}.`,
  );
}

export function command(act: Act): Command {
  return new Command("renew")
    .description("Renew the lease of a task, or of everything that this session holds")
    .argument("[task]", "42, #42, local#42 or the card's address")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  kb-claim renew\n  kb-claim renew 42")
    .action((task: string | undefined, options: { json?: true }) =>
      act("renew", options, (door) => renew(door, { task })),
    );
}
