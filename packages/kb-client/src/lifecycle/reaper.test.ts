// When a lease counts as over: by this process's own monotonic clock, or far past it by the server's.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Epoch, Nonce, TaskId } from "../ids.ts";
import { logKey, type Slot } from "../ledger/index.ts";
import { Reaper } from "./reaper.ts";

const LEASE = 60_000;
const START = 1_800_000_000_000;
const slot: Slot = {
  key: logKey({ id: 1 as TaskId, dateCreation: 0 }),
  n: 1 as Epoch,
  kind: "c",
  agent: "a1",
  nonce: "0123456789" as Nonce,
  beat: START / 1000,
};

/** A read that was sent and answered at `mono` milliseconds; the wall clock says something else. */
function read(mono: number, serverNow = START): Parameters<Reaper["hasExpired"]>[2] {
  const at = { wall: 0, mono };
  return { sentAt: at, receivedAt: at, serverNow };
}

test("a beat that stood still for longer than the lease has expired, not a moment earlier", () => {
  const reaper = new Reaper();
  assert.equal(reaper.hasExpired(slot, LEASE, read(1000)), false);
  assert.equal(reaper.hasExpired(slot, LEASE, read(1000 + LEASE)), false);
  assert.equal(reaper.hasExpired(slot, LEASE, read(1001 + LEASE)), true);
});

test("the lease is counted from the receipt of the first observation to the sending of the last", () => {
  const reaper = new Reaper();
  const slow = { ...read(0), receivedAt: { wall: 0, mono: 50_000 } };
  assert.equal(reaper.hasExpired(slot, LEASE, slow), false);
  assert.equal(reaper.hasExpired(slot, LEASE, read(LEASE + 1)), false);
  assert.equal(reaper.hasExpired(slot, LEASE, read(50_001 + LEASE)), true);
});

test("a renewed beat, and a new claim of the same task, start over", () => {
  const reaper = new Reaper();
  reaper.hasExpired(slot, LEASE, read(0));
  assert.equal(reaper.hasExpired({ ...slot, beat: slot.beat + 1 }, LEASE, read(LEASE + 1)), false);
  assert.equal(reaper.hasExpired({ ...slot, n: 3 as Epoch }, LEASE, read(2 * LEASE + 2)), false);
});

test("a reaper that has just started may expire only what is two leases and a minute past the server's clock", () => {
  const late = START + 2 * LEASE + 60_000;
  assert.equal(new Reaper().hasExpired(slot, LEASE, read(0, late)), false);
  assert.equal(new Reaper().hasExpired(slot, LEASE, read(0, late + 1)), true);
});
