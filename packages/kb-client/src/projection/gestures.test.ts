// Every row of the gesture table must be legal in the ledger, from every head that its state stands for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kind, KINDS, SUCCESSORS } from "../ledger/index.ts";
import {
  CLAIM_UNDONE,
  CLOSED_BEFORE_RESULT,
  GESTURES,
  type GestureRow,
  type Place,
  REASSIGNED_TO_PERSON,
  stateOf,
} from "./gestures.ts";

const heads = ["none", ...Object.keys(KINDS)] as (Kind | "none")[];

function assertLegal(head: Kind | "none", row: GestureRow, where: string): void {
  let from = head;
  for (const kind of row.writes) {
    assert.ok(SUCCESSORS[from].includes(kind), `${where}: ${from} -> ${kind}`);
    from = kind;
  }
}

test("every gesture writes only what the ledger allows from that state", () => {
  for (const head of heads) {
    const state = stateOf(head === "none" ? undefined : head);
    for (const [place, row] of Object.entries(GESTURES[state])) {
      assertLegal(head, row, `${state} -> ${place}`);
    }
  }
});

test("undoing a claim, taking a running task over and closing during the finish are legal too", () => {
  for (const [place, row] of Object.entries(CLAIM_UNDONE)) assertLegal("c", row, place);
  assertLegal("c", REASSIGNED_TO_PERSON, "reassigned");
  assertLegal("d", CLOSED_BEFORE_RESULT, "closed before result");
});

test("after any gesture the card's state agrees with the place where the person put it", () => {
  const expected: Partial<Record<Place, string[]>> = {
    ready: ["waiting"],
    closed: ["verified", "canceled", "dead"],
    deleted: ["canceled", "done", "verified", "dead"],
  };
  for (const head of heads) {
    const state = stateOf(head === "none" ? undefined : head);
    for (const [place, allowed] of Object.entries(expected)) {
      const { writes } = GESTURES[state][place as Place];
      const after = stateOf(writes.at(-1) ?? (head === "none" ? undefined : head));
      assert.ok(allowed.includes(after), `${state} -> ${place} ends ${after}`);
    }
  }
});

test("whatever a person does to a running task stops its worker, except leaving it where it is", () => {
  for (const [place, row] of Object.entries(GESTURES.working)) {
    assert.equal(row.writes.length === 0, place === "wip", place);
  }
});
