// Status is derived, never stored: one pure and total function over everything a card and its log say.
import type { Slot } from "../ledger/index.ts";
import { type ColumnRole, TAGS } from "../queue/layout.ts";
import type { Wait } from "../projection/card-fields.ts";

export type Status =
  | "held"
  | "queued"
  | "working"
  | "input-required"
  | "parked"
  | "done"
  | "verified"
  | "failed"
  | "canceled"
  | "rejected"
  /** A person's own card on a queue's board: the fabric keeps its hands off. */
  | "personal";

export interface StatusInput {
  card: {
    isActive: boolean;
    /** Null for nobody; a foreign owner is anybody but the agent of the running claim. */
    owner: "nobody" | "agent" | "person";
    score: number;
  };
  column: ColumnRole;
  tags: readonly string[];
  head: Slot | null;
  /** What the head waits for, where it is a parked or failed one. */
  wait: Wait | null;
  requireScore: boolean;
  /** Tasks that must be finished first and are not. */
  openDependencies: readonly string[];
  /** Null when the queue's model is available. */
  queueParked: string | null;
  /** Epoch seconds. */
  now: number;
}

export interface StatusReading {
  status: Status;
  /** One sentence for people, with the next step where there is one. */
  reason: string;
}

export function status(input: StatusInput): StatusReading {
  return input.card.isActive ? openStatus(input) : closedStatus(input);
}

function closedStatus({ head, column, tags }: StatusInput): StatusReading {
  if (tags.includes(TAGS.rejected)) return say("rejected", "closed as rejected");
  if (head?.kind === "v") return say("verified", "closed by somebody other than its worker");
  if (head?.kind === "d" && tags.includes(TAGS.unverified))
    return say("done", "archived without verification");
  if (head?.kind === "d") return say("verified", "closed after it was done");
  if (head?.kind === "k" || tags.includes(TAGS.deadLetter))
    return say("failed", "a dead letter that somebody closed");
  if (head === null && (column === "done" || column === "wip"))
    return say("personal", "a person's own card, closed");
  return say("canceled", "closed before it was done");
}

function openStatus(input: StatusInput): StatusReading {
  const { head, tags, now, wait } = input;
  switch (head?.kind) {
    case "c":
      return say("working", `claimed by ${head.agent}, epoch ${head.n}`);
    case "h":
      return say("personal", "taken by a person; drag it to Ready to give it to the agents");
    case "d":
      return say("done", "finished by its worker; close it to verify, drag it to Ready to redo it");
    case "k":
      return say("failed", "dead letter: its attempts are used up; drag it to Ready to try again");
    case "q":
    case "v":
      return say("held", "reopened; drag it to Ready to run it again");
    case "p":
      if (wait !== null && "until" in wait)
        return say("parked", `waits until ${iso(wait.until)}${wait.until <= now ? ", due" : ""}`);
      return say("input-required", "waits for a person; answer on the card, then drag it to Ready");
    default:
      return tags.includes(TAGS.deadLetter)
        ? say("failed", "tagged dead-letter; remove the tag and drag it to Ready to try again")
        : claimableStatus(input);
  }
}

function claimableStatus(input: StatusInput): StatusReading {
  const { head, column, tags, card, now, wait } = input;
  switch (column) {
    case "wip":
      if (head?.kind === "x") return say("queued", "its lease expired; goes back to Ready");
      return say("personal", "in Work in progress without a claim: a person's own card");
    case "done":
      return say("personal", "in Done without a ledger entry: a person's own card");
    case "ready":
      break;
    default:
      if (tags.includes(TAGS.blocked))
        return say("input-required", "tagged blocked; drag it to Ready once it is answered");
      if (head?.kind === "f" && wait !== null && "until" in wait)
        return say("parked", `failed attempt; tried again after ${iso(wait.until)}`);
      if (input.openDependencies.length > 0)
        return say("held", `waits for ${input.openDependencies.join(", ")}`);
      return say("held", "not in an intake column; drag it to Ready to have it done");
  }
  if (card.owner !== "nobody")
    return say("personal", "assigned in Ready: agents take only unassigned cards");
  if (tags.includes(TAGS.blocked))
    return say("input-required", "tagged blocked; remove the tag to have it done");
  if (input.requireScore && card.score === 0)
    return say("input-required", "has no score; set one and drag it to Ready");
  if (input.openDependencies.length > 0)
    return say("held", `waits for ${input.openDependencies.join(", ")}`);
  if (head?.kind === "f" && wait !== null && "until" in wait && wait.until > now)
    return say("queued", `dragged to Ready before its retry at ${iso(wait.until)}`);
  if (input.queueParked !== null) return say("queued", `the queue is parked: ${input.queueParked}`);
  return say("queued", "may be claimed now");
}

function say(value: Status, reason: string): StatusReading {
  return { status: value, reason };
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000", "");
}
