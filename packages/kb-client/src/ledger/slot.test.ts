// The codec of slots and bindings.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Nonce, ProjectId, TagId, TaskId } from "../ids.ts";
import { encodeBinding, parseBinding, shardOf, shardProjects } from "./binding.ts";
import { KINDS, type Kind } from "./kinds.ts";
import {
  encodePayload,
  logKey,
  MAX_PAYLOAD,
  parseSlot,
  slotName,
  taskIdOf,
  toAgentSlug,
} from "./slot.ts";

const kind = fc.constantFrom(...(Object.keys(KINDS) as Kind[]));
const nonce = fc.stringMatching(/^[a-z0-9]{10}$/) as fc.Arbitrary<Nonce>;
const agent = fc.string({ unit: "grapheme", maxLength: 40 }).map(toAgentSlug);
const beat = fc.integer({ min: 0, max: 36 ** 6 - 1 });
const task = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 31 }) as fc.Arbitrary<TaskId>,
  dateCreation: fc.integer({ min: 0, max: 2 ** 31 }),
});

test("every slot survives the way through a tag and fits the strictest database", () => {
  fc.assert(
    fc.property(
      task,
      fc.integer({ min: 1, max: 200 }),
      kind,
      agent,
      nonce,
      beat,
      (t, n, k, a, c, b) => {
        const payload = encodePayload({ kind: k, agent: a, nonce: c, beat: b });
        assert.ok(payload.length <= MAX_PAYLOAD);
        const name = slotName(logKey(t), n);
        const slot = parseSlot({ id: 1 as TagId, name, color: payload });
        assert.deepEqual(slot, {
          key: logKey(t),
          n,
          kind: k,
          agent: a,
          nonce: c,
          beat: b,
          tagId: 1,
        });
        assert.equal(taskIdOf(logKey(t)), t.id);
      },
    ),
  );
});

test("a tag that a person made is no slot, whatever it is called", () => {
  const tag = { id: 1 as TagId, color: "c:a1:0123456789:000001" };
  for (const name of ["urgent", "t12.1", "t12-abc", "x t12-abc.1", "t12-abc.1 ", "T12-abc.1"]) {
    assert.equal(parseSlot({ ...tag, name }), null, name);
  }
  for (const color of [null, "", "grey", "c:a1:012345678:000001", "z:a1:0123456789:000001"]) {
    assert.equal(parseSlot({ id: tag.id, name: "t12-abc.1", color }), null, String(color));
  }
});

test("a payload that the codec can't read back is refused before it is written", () => {
  const slot = { kind: "c", agent: "Worker One", nonce: "0123456789" as Nonce, beat: 1 } as const;
  assert.throws(() => encodePayload(slot), { code: "LEDGER_BAD_PAYLOAD" });
});

test("the log of a deleted task is not inherited by the card that gets its id", () => {
  const id = 7 as TaskId;
  assert.notEqual(logKey({ id, dateCreation: 1000 }), logKey({ id, dateCreation: 1001 }));
});

test("a binding survives the way through a tag and spreads tasks over its consecutive projects", () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[0-9a-f]{32}$/),
      fc.integer({ min: 1, max: 99_999 }),
      fc.integer({ min: 1, max: 64 }),
      fc.integer({ min: 1, max: 2 ** 31 }),
      (uuid, first, shards, id) => {
        const binding = { uuid, firstProject: first as ProjectId, shards };
        const payload = encodeBinding(binding);
        assert.ok(payload.length <= MAX_PAYLOAD);
        assert.deepEqual(parseBinding(payload), binding);
        assert.ok(shardProjects(binding).includes(shardOf(binding, id as TaskId)));
      },
    ),
  );
  assert.equal(parseBinding("grey"), null);
});
