// Ages of leases across processes, clock steps and boots.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sinceStamp, stampNow, systemBootClock } from "./boot-clock.ts";

const at = (boot: string, since: number) => ({ boot, sinceBoot: () => since });

test("a wall clock that was set back does not make a lease younger", () => {
  const then = stampNow(1_000_000, at("host/a", 5000));
  assert.equal(sinceStamp(then, 400_000, at("host/a", 65_000)), 60_000);
  assert.equal(sinceStamp(then, 1_090_000, at("host/a", 65_000)), 90_000);
});

test("after another boot only the wall clock counts, and never below zero", () => {
  const then = stampNow(1_000_000, at("host/a", 900_000));
  assert.equal(sinceStamp(then, 1_030_000, at("host/b", 1000)), 30_000);
  assert.equal(sinceStamp(then, 900_000, at("host/b", 1000)), 0);
});

test("a system without a boot id is compared by the wall clock alone", () => {
  const then = stampNow(1000, at("host/", 0));
  assert.equal(sinceStamp(then, 3000, at("host/", 99_000)), 2000);
});

test("the machine's own boot clock runs and names its boot", () => {
  const clock = systemBootClock();
  assert.ok(clock.sinceBoot() > 0);
  assert.equal(clock.boot, systemBootClock().boot);
});
