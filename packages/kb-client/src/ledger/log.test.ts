// Reading logs out of a shard's tags.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectId, TagId } from "../ids.ts";
import type { Tag } from "../rpc/index.ts";
import { aboveFloor, emptyLog, nextSlotNumber, readLogs } from "./log.ts";
import type { LogKey } from "./slot.ts";

let id = 0;
function tag(name: string, color: string): Tag {
  id += 1;
  return { id: id as TagId, name, color, projectId: 1 as ProjectId };
}
const slot = (n: number, kind = "c"): Tag => tag(`t5-abc.${n}`, `${kind}:a1:0123456789:000001`);

test("slots are put in order by number, however the board returns them", () => {
  const logs = readLogs([slot(10), slot(2, "x"), slot(1), ...range(3, 9)]);
  const log = logs.get("t5-abc" as LogKey);
  assert.deepEqual(
    log?.slots.map((entry) => entry.n),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.equal(log?.head?.n, 10);
  assert.equal(log?.damaged, false);
});

test("registers and other people's tags in a shard are passed over", () => {
  const logs = readLogs([tag("fabric.ledger", "x:1:4"), tag("s.0123", "5"), tag("hello", "red")]);
  assert.equal(logs.size, 0);
});

test("a log with a hole is damaged: somebody deleted ledger tags", () => {
  const log = readLogs([slot(1), slot(3)]).get("t5-abc" as LogKey);
  assert.equal(log?.damaged, true);
});

test("slots at or below the floor do not exist, whoever created them again", () => {
  const log = readLogs([slot(1)]).get("t5-abc" as LogKey) ?? emptyLog("t5-abc" as LogKey);
  const above = aboveFloor(log, 6);
  assert.equal(above.head, null);
  assert.equal(nextSlotNumber(above), 7);
});

function range(from: number, to: number): Tag[] {
  return Array.from({ length: to - from + 1 }, (_, i) => slot(from + i));
}
