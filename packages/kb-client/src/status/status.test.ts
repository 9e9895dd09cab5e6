// Status is one pure and total function.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Epoch, Nonce, TaskId } from "../ids.ts";
import { type Kind, KINDS, logKey, type Slot } from "../ledger/index.ts";
import type { ColumnRole } from "../queue/index.ts";
import { status, type StatusInput } from "./status.ts";

function head(kind: Kind): Slot {
  const key = logKey({ id: 1 as TaskId, dateCreation: 0 });
  return { key, n: 1 as Epoch, kind, agent: "a1", nonce: "0123456789" as Nonce, beat: 1 };
}

const columns: ColumnRole[] = ["backlog", "ready", "wip", "done", "deadLetter", "other"];
const anyInput: fc.Arbitrary<StatusInput> = fc.record({
  card: fc.record({
    isActive: fc.boolean(),
    owner: fc.constantFrom("nobody", "agent", "person"),
    score: fc.constantFrom(0, 1, 5, 21),
  }),
  column: fc.constantFrom(...columns),
  tags: fc.subarray(["blocked", "dead-letter", "rejected", "unverified", "needs-human-verify"]),
  head: fc.option(fc.constantFrom(...(Object.keys(KINDS) as Kind[])).map(head)),
  wait: fc.option(
    fc.oneof(
      fc.record({ until: fc.integer({ min: 0, max: 2000 }) }),
      fc.constant({ human: true as const }),
    ),
  ),
  requireScore: fc.boolean(),
  openDependencies: fc.subarray(["#1", "#2"]),
  queueParked: fc.option(fc.constant("model down")),
  now: fc.constant(1000),
});

const plain: StatusInput = {
  card: { isActive: true, owner: "nobody", score: 0 },
  column: "ready",
  tags: [],
  head: null,
  wait: null,
  requireScore: false,
  openDependencies: [],
  queueParked: null,
  now: 1000,
};

test("every combination gives exactly one status and one reason", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const reading = status(input);
      assert.ok(reading.reason.length > 0);
      assert.deepEqual(reading, status(input));
    }),
    { numRuns: 2000 },
  );
});

test("only an open card with a claim as head is working, whatever the board shows", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const working = status(input).status === "working";
      assert.equal(working, input.card.isActive && input.head?.kind === "c");
    }),
  );
});

test("nothing is queued that a worker must not claim", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      if (status(input).status !== "queued" || input.head?.kind === "x") return;
      assert.ok(input.card.isActive && input.column === "ready");
      assert.equal(input.card.owner, "nobody");
      assert.ok(!input.tags.includes("blocked"));
      assert.ok(!(input.requireScore && input.card.score === 0));
      assert.deepEqual(input.openDependencies, []);
    }),
  );
});

test("the rows of the design's table", () => {
  const rows: [Partial<StatusInput>, string][] = [
    [{}, "queued"],
    [{ column: "backlog" }, "held"],
    [{ column: "wip", head: head("c") }, "working"],
    [
      { column: "wip", head: head("p"), wait: { human: true }, tags: ["blocked"] },
      "input-required",
    ],
    [{ requireScore: true }, "input-required"],
    [{ column: "backlog", head: head("p"), wait: { until: 2000 } }, "parked"],
    [{ column: "backlog", head: head("f"), wait: { until: 2000 } }, "parked"],
    [{ column: "done", head: head("d") }, "done"],
    [{ column: "done", head: head("v"), card: closed() }, "verified"],
    [{ column: "backlog", head: head("k"), tags: ["dead-letter"] }, "failed"],
    [{ head: head("q"), card: closed() }, "canceled"],
    [{ tags: ["rejected"], card: closed() }, "rejected"],
    [{ column: "done", head: head("d"), tags: ["unverified"], card: closed() }, "done"],
    [{ column: "wip" }, "personal"],
    [{ column: "done" }, "personal"],
    [{ card: { isActive: true, owner: "person", score: 0 } }, "personal"],
  ];
  for (const [change, expected] of rows) {
    assert.equal(status({ ...plain, ...change }).status, expected, JSON.stringify(change));
  }
});

function closed(): StatusInput["card"] {
  return { isActive: false, owner: "nobody", score: 0 };
}
