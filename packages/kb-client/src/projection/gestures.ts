// The table of gestures: what a person did to a card on the board, what the ledger records of it, where the card
// ends. Code, docs/gestures.md and the browser tests all read this one table.
import type { Kind } from "../ledger/index.ts";

/** What the task was when the person touched its card; derived from the head of its log. */
export type State =
  /** Nobody holds it: no log, or released, expired, failed, unparked, reopened. */
  "waiting" | "working" | "parked" | "taken" | "done" | "verified" | "dead" | "canceled";

/** Where the card is now. */
export type Place =
  | "backlog"
  | "ready"
  | "wip"
  | "done"
  | "deadLetter"
  /** A column that the queue does not use. */
  | "other"
  | "closed"
  /** In another project. */
  | "elsewhere"
  | "deleted";

export interface GestureRow {
  /** Slots appended, in order. */
  writes: readonly Exclude<Kind, "c" | "x" | "f">[];
  /** What is done to the card afterwards; left out where the card stays as the person put it. */
  card?: {
    /** The agent that owned it is taken off. */
    unassign?: true;
    /** The tag `blocked` or `dead-letter` is taken off: dragging to an intake column is the way to unblock. */
    untag?: true;
    tagDead?: true;
    moveTo?: "backlog" | "ready";
    close?: true;
  };
  /** What it is reported as; a person's gesture where left out. */
  event?: "task.promoted";
  /** The comment left on the card; none where the gesture explains itself. */
  says?: string;
}

const nothing: GestureRow = { writes: [] };
const unassigned = { unassign: true } as const;
const freed = { unassign: true, untag: true } as const;

const stopped = "the worker stops and its claim is released";
const REOPENED_HERE = "reopened; drag it to **Ready** to run it again";

export const GESTURES: Readonly<Record<State, Readonly<Record<Place, GestureRow>>>> = {
  waiting: {
    backlog: nothing,
    ready: nothing,
    wip: { writes: ["h"] },
    done: { writes: ["h", "d"] },
    deadLetter: { writes: ["k"], card: { tagDead: true } },
    other: nothing,
    closed: { writes: ["q"] },
    elsewhere: nothing,
    deleted: { writes: ["q"] },
  },
  working: {
    backlog: { writes: ["r"], card: unassigned, says: `moved to Backlog: ${stopped}` },
    ready: {
      writes: ["r"],
      card: unassigned,
      says: `moved to Ready: ${stopped}; it will be claimed again`,
    },
    wip: nothing,
    done: {
      writes: ["h", "d"],
      says: "moved to Done by a person: the worker stops, its work is dropped",
    },
    deadLetter: {
      writes: ["k"],
      card: { ...unassigned, tagDead: true },
      says: "moved to Dead letter: the worker stops",
    },
    other: {
      writes: ["r"],
      card: unassigned,
      says: `moved out of the queue's columns: ${stopped}`,
    },
    closed: {
      writes: ["q"],
      card: unassigned,
      says: "closed: the worker stops, the task is canceled",
    },
    elsewhere: { writes: ["r"], card: unassigned, says: `moved to another project: ${stopped}` },
    deleted: { writes: ["q"] },
  },
  parked: {
    backlog: nothing,
    ready: { writes: ["u"], card: freed },
    wip: { writes: ["h"], card: { untag: true } },
    done: { writes: ["h", "d"], card: { untag: true } },
    deadLetter: { writes: ["k"], card: { tagDead: true } },
    other: nothing,
    closed: { writes: ["q"] },
    elsewhere: { writes: ["u"], card: freed },
    deleted: { writes: ["q"] },
  },
  taken: {
    backlog: { writes: ["r"] },
    ready: { writes: ["r"], card: { ...freed }, says: "given to the agents: unassigned" },
    wip: nothing,
    done: { writes: ["d"] },
    deadLetter: { writes: ["r", "k"], card: { tagDead: true } },
    other: nothing,
    closed: { writes: ["q"] },
    elsewhere: { writes: ["r"] },
    deleted: { writes: ["q"] },
  },
  done: {
    backlog: { writes: ["o"], card: unassigned, says: REOPENED_HERE },
    ready: { writes: ["o"], card: freed, says: "reopened: it will be claimed again" },
    wip: { writes: ["o", "h"], card: unassigned, says: "reopened and taken by a person" },
    done: nothing,
    deadLetter: { writes: ["o", "k"], card: { ...unassigned, tagDead: true } },
    other: nothing,
    closed: { writes: ["v"] },
    elsewhere: nothing,
    deleted: nothing,
  },
  verified: {
    backlog: { writes: ["o"], card: unassigned, says: REOPENED_HERE },
    ready: { writes: ["o"], card: freed, says: "reopened: it will be claimed again" },
    wip: { writes: ["o"], card: { ...unassigned, moveTo: "backlog" }, says: REOPENED_HERE },
    done: { writes: ["o"], card: { ...unassigned, moveTo: "backlog" }, says: REOPENED_HERE },
    deadLetter: { writes: ["o"], card: { ...unassigned, moveTo: "backlog" }, says: REOPENED_HERE },
    other: { writes: ["o"], card: unassigned, says: REOPENED_HERE },
    closed: nothing,
    elsewhere: nothing,
    deleted: nothing,
  },
  dead: {
    backlog: { writes: ["o"], card: freed, says: REOPENED_HERE },
    ready: { writes: ["o"], card: freed, says: "reopened: it will be claimed again" },
    wip: { writes: ["o", "h"], card: freed, says: "reopened and taken by a person" },
    done: { writes: ["o", "h", "d"], card: { untag: true } },
    deadLetter: nothing,
    other: nothing,
    closed: nothing,
    elsewhere: { writes: ["o"], card: freed },
    deleted: nothing,
  },
  canceled: {
    backlog: { writes: ["o"], card: freed, says: REOPENED_HERE },
    ready: { writes: ["o"], card: freed, says: "reopened: it will be claimed again" },
    wip: { writes: ["o"], card: { ...freed, moveTo: "backlog" }, says: REOPENED_HERE },
    done: { writes: ["o"], card: { ...freed, moveTo: "backlog" }, says: REOPENED_HERE },
    deadLetter: { writes: ["o"], card: { ...freed, moveTo: "backlog" }, says: REOPENED_HERE },
    other: { writes: ["o"], card: freed, says: REOPENED_HERE },
    closed: nothing,
    elsewhere: nothing,
    deleted: nothing,
  },
};

/**
 * A card closed while its worker was finishing: the result came first in the ledger, the person's close stands all
 * the same, and it was no verification.
 */
export const CLOSED_BEFORE_RESULT: GestureRow = {
  writes: ["o", "q"],
  card: { close: true },
  says: "closed while its worker was finishing: the result is attached, the task is canceled",
};

/**
 * A worker won the slot, but when it went to move the card a person had already put it elsewhere: the claim is undone
 * and counts as no attempt. In Ready it is an assignment to a person that stopped the claim.
 */
export const CLAIM_UNDONE: Readonly<Record<Place, GestureRow>> = {
  backlog: { writes: ["r"] },
  ready: { writes: ["r"] },
  wip: { writes: ["h"] },
  done: { writes: ["h", "d"] },
  deadLetter: { writes: ["k"], card: { tagDead: true } },
  other: { writes: ["r"] },
  closed: { writes: ["q"] },
  elsewhere: { writes: ["r"] },
  deleted: { writes: ["q"] },
};

/** Somebody assigned a running task to a person: they take it over where it stands. */
export const REASSIGNED_TO_PERSON: GestureRow = {
  writes: ["h"],
  says: "assigned to a person: the worker stops",
};

export function stateOf(head: Kind | undefined): State {
  switch (head) {
    case "c":
      return "working";
    case "p":
      return "parked";
    case "h":
      return "taken";
    case "d":
      return "done";
    case "v":
      return "verified";
    case "k":
      return "dead";
    case "q":
      return "canceled";
    default:
      return "waiting";
  }
}
