// What done and release share: the same command again after a lost reply, and why a finish did not count.
import { type Finished, type Kind, KINDS, reconcileCard } from "@agap/kb-client";
import type { Door } from "../door/door.ts";
import { type ActingUnder, lost } from "../lease/open-lease.ts";
import type { Answer } from "../output/answer.ts";

/**
 * The claim was ended by an earlier command of this session that did not live to say so: the card is brought up to it,
 * and the same command gives the same answer.
 */
export async function finishAgain(
  door: Door,
  acting: Extract<ActingUnder, { is: "ended" }>,
  kind: Kind,
  answer: () => Answer,
): Promise<Answer> {
  const { ctx, queue, lease, reading, by } = acting;
  const { task, log, metadata } = reading;
  if (task !== null) {
    await reconcileCard(ctx, queue, { task, log, metadata }, "projection", door.signal);
  }
  await door.leases.remove(lease);
  return by.kind === kind
    ? answer()
    : lost(lease, `an earlier command of this session had ended it: ${KINDS[by.kind]}`);
}

export function fencedBy(result: Finished): string {
  if (result.outcome === "gone") return "its card was deleted";
  const head = "head" in result ? result.head : null;
  return head ? `${KINDS[head.kind]} by ${head.agent}` : "it has ended";
}
