// What may go wrong in the middle of a verb: lost answers, kills, boots.
import assert from "node:assert/strict";
import { test } from "node:test";
import { done, type Door, EXIT, leaseStatus, release, take } from "@agap/kb-claim";
import type { RpcRequest, SendOptions, Transport } from "@agap/kb-client";
import { FlakyTransport } from "../harness/flaky-transport.ts";
import { type CliSetup, facts, refusal } from "./desk.ts";

/** The command dies right after the board has carried out the first request that `matches`. */
async function dyingAfter(
  desks: CliSetup["desks"],
  matches: (requests: readonly RpcRequest[], options: SendOptions) => boolean,
): Promise<Door> {
  const life = new AbortController();
  const dying = (inner: Transport): Transport => ({
    async send(requests, options) {
      const reply = await inner.send(requests, options);
      if (matches(requests, options)) life.abort(new Error("killed"));
      life.signal.throwIfAborted();
      return reply;
    },
  });
  return { ...(await desks.shell("a1", "s1", dying)), signal: life.signal };
}

const claims = (_: unknown, { purpose }: SendOptions): boolean => purpose === "claim";
const finishes = (_: unknown, { purpose }: SendOptions): boolean => purpose === "outcome";

export function faultTests(setup: () => Promise<CliSetup>): void {
  test("a take that died after its claim arrived is found again by the same session", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const { id } = await fabric.card(queue);
    const dying = await dyingAfter(desks, claims);
    await assert.rejects(take(dying, {}), /killed/);
    assert.equal((await dying.leases.mine())[0]?.state, "intended");
    const stranger = await desks.shell("a1", "s2");
    assert.equal((await take(stranger, {})).exit, EXIT.nothingEligible);
    const again = facts(await take(await desks.shell("a1", "s1"), {}));
    assert.equal(again["recovered"], true);
    assert.equal((again["task"] as { id: number }).id, id);
    const card = await fabric.see(id);
    assert.equal(card.columnId, queue.columns.wip.id, "its projection is finished, too");
    assert.equal(await fabric.history(worker, card), "c");
    facts(await done(await desks.shell("a1", "s1"), { result: "after all" }));
  });

  test("lease-status finds the claim of a dead take, too", async () => {
    const { desks, fabric, queue } = await setup();
    await fabric.card(queue);
    await assert.rejects(take(await dyingAfter(desks, claims), {}), /killed/);
    const { leases } = facts(await leaseStatus(await desks.shell("a1", "s1"), {}));
    assert.deepEqual(
      (leases as { state: string }[]).map((lease) => lease.state),
      ["held"],
    );
  });

  test("a claim that was written down and never sent holds nothing", async () => {
    const { desks, fabric, queue } = await setup();
    const { id } = await fabric.card(queue);
    const cut = await desks.shell(
      "a1",
      "s1",
      (inner) =>
        new FlakyTransport(inner, ({ purpose }) =>
          purpose === "claim" ? "drop-request" : "deliver",
        ),
    );
    const life = new AbortController();
    const clock = {
      ...cut.clock,
      now: () => desks.clock.now(),
      monotonic: () => desks.clock.monotonic(),
    };
    const sleep = async (): Promise<void> => life.abort(new Error("given up"));
    await assert.rejects(take({ ...cut, clock: { ...clock, sleep }, signal: life.signal }, {}));
    const door = await desks.shell("a1", "s1");
    assert.equal(refusal(await done(door, { result: "of what?" })), "11 LEASE_NOT_HELD");
    const again = facts(await take(door, {}));
    assert.equal((again["task"] as { id: number }).id, id);
    assert.equal(again["recovered"], false);
  });

  test("done and release give the same answer again when their first answer was lost", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const { id } = await fabric.card(queue);
    facts(await take(await desks.shell("a1", "s1"), {}));
    await assert.rejects(done(await dyingAfter(desks, finishes), { result: "once" }), /killed/);
    const again = facts(await done(await desks.shell("a1", "s1"), { result: "once" }));
    assert.equal(again["repeated"], true);
    const card = await fabric.see(id);
    assert.equal(await fabric.history(worker, card), "cd");
    assert.equal(card.columnId, queue.columns.done.id);

    const other = await fabric.card(queue);
    facts(await take(await desks.shell("a1", "s1"), {}));
    await assert.rejects(release(await dyingAfter(desks, finishes), {}), /killed/);
    assert.equal(facts(await release(await desks.shell("a1", "s1"), {}))["repeated"], true);
    assert.equal(await fabric.history(worker, await fabric.see(other.id)), "cr");
  });

  test("a lease file survives a boot of the machine; only its age is then told by the wall clock", async () => {
    const { desks, fabric, queue } = await setup();
    await fabric.card(queue);
    facts(await take(await desks.shell("a1", "s1"), {}));
    Object.assign(desks.boot, { boot: "host/boot-2" });
    desks.clock.advance(20_000);
    facts(await done(await desks.shell("a1", "s1"), { result: "after the boot" }));
  });
}
