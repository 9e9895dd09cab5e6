// Which card is taken first, and which is left alone for a while.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VirtualClock } from "../memory/virtual-clock.ts";
import type { Task } from "../rpc/index.ts";
import { rank, SkipList } from "./poll.ts";

const ORDER = [1, 2, 0, 3];
const still = { next: () => 0.999, base36: () => "" };

function card(id: number, fields: Partial<Task> = {}): Task {
  return {
    id,
    priority: 0,
    position: id,
    dateMoved: 1,
    dateCreation: 1,
    ownerId: null,
    ...fields,
  } as Task;
}

test("priority goes by the take-order, then the board's position, then the id", () => {
  const cards = [
    card(1, { priority: 3 }),
    card(2, { priority: 0 }),
    card(3, { priority: 2 }),
    card(4, { priority: 1, position: 9 }),
    card(5, { priority: 1, position: 2 }),
  ];
  assert.deepEqual(
    rank(cards, ORDER, still).map(({ id }) => id),
    [5, 4, 3, 2, 1],
  );
});

test("shuffling never puts a card before one of a better priority, and loses none", () => {
  const cards = fc.array(fc.record({ id: fc.nat(), priority: fc.integer({ min: 0, max: 5 }) }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(cards, fc.double({ min: 0, max: 0.999, noNaN: true }), (drafts, roll) => {
      const all = drafts.map(({ id, priority }) => card(id, { priority }));
      const ranked = rank(all, ORDER, { ...still, next: () => roll });
      const places = ranked.map(({ priority }) => {
        const place = ORDER.indexOf(priority);
        return place === -1 ? ORDER.length : place;
      });
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
      assert.deepEqual(ranked.map(({ id }) => id).toSorted(), all.map(({ id }) => id).toSorted());
    }),
  );
});

test("a card that was lost is tried again when it changes, or after a lease", async () => {
  const clock = new VirtualClock();
  const skips = new SkipList({ clock }, 60_000);
  skips.add(card(1));
  assert.equal(skips.has(card(1)), true);
  assert.equal(skips.has(card(2)), false);
  assert.equal(skips.has(card(1, { dateMoved: 2 })), false, "a person moved it");
  skips.add(card(1));
  await clock.advance(60_000);
  assert.equal(skips.has(card(1)), false);
});
