// The claim protocol's law: what may follow what, who is fenced, and where attempts end.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Epoch, Nonce, TaskId } from "../ids.ts";
import { CLAIMABLE, type Kind, KINDS, SUCCESSORS } from "./kinds.ts";
import { attempts, currentRound, emptyLog, snoozes, type TaskLog } from "./log.ts";
import { type Command, isWornOut, next } from "./reducer.ts";
import { logKey, type Slot } from "./slot.ts";

const key = logKey({ id: 1 as TaskId, dateCreation: 0 });
const MAX = 3;

function logOf(kinds: string): TaskLog {
  let nonce = "" as Nonce;
  const slots = [...kinds].map((letter, i): Slot => {
    const kind = letter as Kind;
    if (kind === "c") nonce = `nonce${String(i).padStart(5, "0")}` as Nonce;
    return { key, n: (i + 1) as Epoch, kind, agent: "a1", nonce, beat: 1 };
  });
  return { ...emptyLog(key), slots, head: slots.at(-1) ?? null };
}

function holder(log: TaskLog): { epoch: Epoch; nonce: Nonce } {
  const claim = log.slots.findLast((slot) => slot.kind === "c");
  assert.ok(claim);
  return { epoch: claim.n, nonce: claim.nonce };
}

const by = { agent: "a1", beat: 2 };
const claim: Command = { type: "claim", nonce: "mynonce001" as Nonce, ...by };

/** Random legal histories: each is built with the table itself. */
const history = fc.array(fc.nat(), { maxLength: 40 }).map((choices) =>
  choices.reduce<string>((kinds, choice) => {
    const options = SUCCESSORS[(kinds.at(-1) as Kind | undefined) ?? "none"];
    return kinds + (options[choice % options.length] ?? "");
  }, ""),
);

test("a claim is refused exactly while somebody holds the task or it is settled (S1)", () => {
  for (const head of ["", ...Object.keys(KINDS)]) {
    const result = next(logOf(head), claim);
    assert.equal(result.ok, CLAIMABLE.has((head || "none") as Kind), head);
  }
});

test("epochs only grow: the next slot follows the head or the collected floor (S2)", () => {
  fc.assert(
    fc.property(history, fc.nat({ max: 50 }), (kinds, floor) => {
      const log = { ...logOf(kinds), floor };
      const result = next(log, claim);
      if (result.ok) assert.equal(result.slot.n, Math.max(kinds.length, floor) + 1);
    }),
  );
});

test("whoever's claim has ended can neither finish, fail, park nor release (S5)", () => {
  fc.assert(
    fc.property(history, (kinds) => {
      const log = logOf(kinds);
      const ended = log.slots.filter((slot) => slot.kind === "c" && slot.n !== log.head?.n);
      for (const slot of ended) {
        const ref = { epoch: slot.n, nonce: slot.nonce };
        for (const type of ["finish", "release", "park"] as const) {
          assert.deepEqual(next(log, { type, claim: ref, ...by }), { ok: false, reason: "fenced" });
        }
        const failing = next(log, { type: "fail", claim: ref, maxAttempts: MAX, ...by });
        assert.deepEqual(failing, { ok: false, reason: "fenced" });
      }
    }),
  );
});

test("the right epoch with another's nonce is fenced too", () => {
  const log = logOf("c");
  const ref = { epoch: 1 as Epoch, nonce: "somebodyel" as Nonce };
  assert.deepEqual(next(log, { type: "finish", claim: ref, ...by }), {
    ok: false,
    reason: "fenced",
  });
});

test("a claim that was renewed since it was observed is not expired", () => {
  const log = logOf("c");
  assert.ok(log.head);
  const expire = (observed: Slot): ReturnType<typeof next> =>
    next(log, { type: "expire", observed, maxAttempts: MAX, ...by });
  assert.equal(expire(log.head).ok, true);
  assert.deepEqual(expire({ ...log.head, beat: log.head.beat - 1 }), {
    ok: false,
    reason: "fenced",
  });
});

test("a round has one outcome, and only a reopening starts another", () => {
  for (const settled of ["d", "k", "q", "v"] as const) {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const legal = SUCCESSORS[settled].includes(kind);
      const reopens = kind === "o" || (settled === "d" && kind === "v");
      assert.equal(legal, reopens, `${settled} -> ${kind}`);
    }
  }
});

test("attempts count claims that expired or failed, and the running one", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["c", 1],
    ["cx", 1],
    ["cxc", 2],
    ["cfcxc", 3],
    ["cr", 0],
    ["cpuc", 1],
    ["chr", 0],
    ["cxcxcko", 0],
    ["cxcdoc", 1],
  ];
  for (const [kinds, expected] of cases) assert.equal(attempts(logOf(kinds)), expected, kinds);
});

test("no legal history can be driven beyond its bound of attempts (S8)", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("expire", "fail"), { maxLength: 30 }), (ends) => {
      let kinds = "";
      for (const end of ends) {
        const claimed = next(logOf(kinds), claim);
        if (!claimed.ok) break;
        kinds += "c";
        const log = logOf(kinds);
        assert.ok(log.head);
        const result =
          end === "expire"
            ? next(log, { type: "expire", observed: log.head, maxAttempts: MAX, ...by })
            : next(log, { type: "fail", claim: holder(log), maxAttempts: MAX, ...by });
        assert.ok(result.ok);
        kinds += result.slot.kind;
      }
      const claims = [...kinds].filter((kind) => kind === "c").length;
      assert.ok(claims <= MAX, kinds);
      if (ends.length >= MAX) assert.equal(kinds.at(-1), "k");
    }),
  );
});

test("a reopening gives a task its attempts and its snoozes back, but no old epoch", () => {
  const log = logOf("cxcxcko");
  assert.equal(attempts(log), 0);
  assert.deepEqual(currentRound(log), []);
  const again = next(log, claim);
  assert.ok(again.ok && again.slot.n === 8);
  assert.equal(snoozes(logOf("cpucpu")), 2);
  assert.equal(snoozes(logOf("cpucpucdo")), 0);
});

test("a task that was snoozed twenty times, or has two hundred slots, goes before a person", () => {
  assert.equal(isWornOut(logOf("cpu".repeat(19))), false);
  assert.equal(isWornOut(logOf("cpu".repeat(20))), true);
  assert.equal(isWornOut(logOf("cr".repeat(100))), true);
});

test("from every head some settled state stays reachable", () => {
  const reach = (from: Kind | "none", seen = new Set<string>()): Set<string> => {
    for (const kind of SUCCESSORS[from]) {
      if (seen.has(kind)) continue;
      seen.add(kind);
      reach(kind, seen);
    }
    return seen;
  };
  for (const kind of ["none", ...Object.keys(KINDS)] as (Kind | "none")[]) {
    const reached = reach(kind);
    assert.ok(reached.has("d") && reached.has("k") && reached.has("q"), kind);
  }
});
