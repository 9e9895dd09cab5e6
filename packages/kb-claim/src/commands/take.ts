// take: claims the next task and shows it. The claim is written to disk before it is sent, so that a command that dies
// in between has claimed nothing that its session can't find again.
import {
  claim,
  type ClaimResult,
  type FabricContext,
  isFabricError,
  logKey,
  type Nonce,
  NONCE_LENGTH,
  type Queue,
  type Task,
  eligible,
} from "@agap/kb-client";
import { Command } from "commander";
import { chooseQueue, type Door, enter } from "../door/door.ts";
import { stampNow } from "../lease/boot-clock.ts";
import { leaseOf } from "../lease/held-lease.ts";
import type { HeldLease, IntendedLease } from "../lease/lease-file.ts";
import { valueOf } from "../lease/open-lease.ts";
import { recover } from "../lease/recover.ts";
import type { Answer } from "../output/answer.ts";
import type { Act } from "./act.ts";
import { inOrder, nothing, readsOf } from "./next.ts";
import { type Spoken, taken } from "./taken.ts";

/** Each try costs a request; with this many lost races the queue is busy enough to ask again later. */
const MAX_TRIES = 10;

/** Three requests: look, claim, show. */
export async function take(door: Door, input: { queue?: string | undefined }): Promise<Answer> {
  const name = chooseQueue(door, input.queue);
  const { ctx, queue, also } = await enter(door, name, readsOf(door, name));
  const own = await door.leases.mine();
  for (const lease of own) {
    if (lease.state === "lost") await door.leases.remove(lease);
    if (lease.state !== "intended") continue;
    const found = await recover(door, lease);
    if (found) return taken(door, queue, found.lease, found);
  }
  const cards = eligible(valueOf(also[0]), valueOf(also[1]), queue.rules);
  for (const card of inOrder(cards, queue.rules.takeOrder).slice(0, MAX_TRIES)) {
    const won = await tryToClaim(door, ctx, queue, card);
    if (won) return taken(door, queue, won.lease, won);
  }
  return nothing(name);
}

async function tryToClaim(
  door: Door,
  ctx: FabricContext,
  queue: Queue,
  card: Task,
): Promise<{ lease: HeldLease; comments: Spoken["comments"] } | null> {
  const { leases, clock, boot, random, agent, signal } = door;
  const intended: IntendedLease = {
    v: 1,
    state: "intended",
    queue: queue.name,
    task: card,
    key: logKey(card),
    nonce: random.base36(NONCE_LENGTH) as Nonce,
    agent,
    session: leases.session,
    sentAt: stampNow(clock.now(), boot),
  };
  await leases.write(intended);
  let result: ClaimResult;
  try {
    result = await claim(ctx, queue, card, signal, intended.nonce);
  } catch (error) {
    // Certainly nothing was written; after anything else the file is what finds the claim again.
    if (isFabricError(error) && error.retryable === "yes") await leases.remove(intended);
    throw error;
  }
  if (result.outcome !== "won") {
    await leases.remove(intended);
    return null;
  }
  const lease = leaseOf(door, result.held, leases.session);
  await leases.write(lease);
  return { lease, comments: result.held.comments };
}

export function command(act: Act): Command {
  return new Command("take")
    .description("Claim the next task and print it; its lease must be renewed while you work")
    .option("-q, --queue <queue>", "queue to take from; not needed where there is only one")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  kb-claim take --queue local\n  kb-claim take --json")
    .action((options: { queue?: string; json?: true }) =>
      act("take", options, (door) => take(door, options)),
    );
}
