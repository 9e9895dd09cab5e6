// Claims, leases and fences, over any board.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  claim,
  type FabricContext,
  finishDone,
  finishFailed,
  finishParked,
  finishReleased,
  getAllComments,
  getAllTaskFiles,
  getTaskMetadata,
  type HeldClaim,
  LeaseKeeper,
  poll,
  type Queue,
  SkipList,
  sweep,
  SweepMemory,
  type Task,
} from "@agap/kb-client";
import { submit } from "@agap/fabric";
import { FlakyTransport } from "../harness/flaky-transport.ts";
import { RULES } from "../harness/fabric.ts";
import type { Setup } from "./setup.ts";

const read = { purpose: "read" } as const;

async function won(ctx: FabricContext, queue: Queue, card: Task): Promise<HeldClaim> {
  const result = await claim(ctx, queue, card);
  assert.ok(result.outcome === "won", result.outcome);
  return result.held;
}

/** Sweeps again and again; the board's own clock decides when something is due, and it can't be driven. */
async function sweepUntil(
  ctx: FabricContext,
  queue: Queue,
  memory: SweepMemory,
  condition: () => Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    await sweep(ctx, queue, memory, { settleMs: 0 });
    if (await condition()) return;
  }
  assert.fail("swept 200 times and it did not come about");
}

export function claimTests(setup: () => Promise<Setup>): void {
  test("a plain task costs five requests from submit to Done, and ends open in Done with its result", async () => {
    const { fabric } = await setup();
    let counting: FlakyTransport | undefined;
    const agent = await fabric.agent("five", {
      wrap: (inner) => (counting = new FlakyTransport(inner, () => "deliver")),
    });
    const queue = await fabric.queue(agent);
    assert.ok(counting);
    const before = counting.sent;
    const { id } = await submit(agent, queue, { title: "count me" });
    const submitted = counting.sent;
    const card = (await poll(agent, queue, new SkipList(agent, RULES.leaseMs))).find(
      (row) => row.id === id,
    );
    assert.ok(card);
    const polled = counting.sent;
    const held = await won(agent, queue, card);
    assert.equal((await finishDone(agent, held, "the answer")).outcome, "done");
    assert.equal(submitted - before + (counting.sent - polled), 5);
    assert.equal(polled - submitted, 1);
    const done = await fabric.see(id);
    assert.equal(done.columnId, queue.columns.done.id);
    assert.equal(done.isActive, true, "closing is somebody else's verification");
    assert.equal(done.ownerId, agent.me.userId);
    const files = await fabric.app.call(getAllTaskFiles(id), read);
    assert.deepEqual(
      files.map((file) => file.name),
      [`result-e1-${held.slot.nonce}.md`],
    );
    assert.equal(await fabric.history(agent, done), "cd");
  });

  test("of two claims one wins, and the loser changes nothing", async () => {
    const { fabric, agent, queue } = await setup();
    const other = await fabric.agent("rival");
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    const comments = await fabric.app.call(getAllComments(card.id), read);
    const lost = await claim(other, queue, card);
    assert.equal(lost.outcome, "lost");
    assert.equal((await fabric.see(card.id)).ownerId, agent.me.userId);
    assert.deepEqual(await fabric.app.call(getAllComments(card.id), read), comments);
    assert.equal((await finishDone(agent, held, "mine")).outcome, "done");
  });

  test("a released task is claimed again by its hint, with a higher epoch", async () => {
    const { fabric, agent, queue } = await setup();
    const card = await fabric.card(queue);
    await finishReleased(agent, await won(agent, queue, card), "shutting down");
    const back = await fabric.see(card.id);
    assert.equal(back.columnId, queue.columns.ready.id);
    assert.equal(back.ownerId, null);
    const metadata = await fabric.app.call(getTaskMetadata(card.id), read);
    assert.match(metadata["f.head"] ?? "", /\.2$/);
    const again = await won(agent, queue, back);
    assert.equal(again.slot.n, 3);
    await finishReleased(agent, again, "test over");
  });

  test("whichever reply of a lifecycle is lost or doubled, the task is done exactly once", async () => {
    const { fabric } = await setup();
    for (const fate of ["drop-answer", "drop-request", "double"] as const) {
      for (let victim = 1; victim <= 4; victim += 1) {
        let number = 0;
        let armed = false;
        const agent = await fabric.agent("unlucky", {
          wrap: (inner) =>
            new FlakyTransport(inner, ({ purpose }) => {
              if (!armed || purpose === "poll") return "deliver";
              number += 1;
              return number === victim ? fate : "deliver";
            }),
        });
        const queue = await fabric.queue(agent);
        const card = await fabric.card(queue, { title: `${fate} ${victim}` });
        armed = true;
        const held = await won(agent, queue, card);
        const finished = await finishDone(agent, held, `answer to ${fate} ${victim}`);
        armed = false;
        assert.equal(finished.outcome, "done", `${fate} ${victim}`);
        const memory = new SweepMemory();
        await sweep(agent, queue, memory, { settleMs: 0 });
        await sweep(agent, queue, memory, { settleMs: 0 });
        const done = await fabric.see(card.id);
        assert.equal(done.columnId, queue.columns.done.id, `${fate} ${victim}`);
        assert.equal(await fabric.history(agent, done), "cd", `${fate} ${victim}`);
        const files = await fabric.app.call(getAllTaskFiles(card.id), read);
        assert.ok(files.length >= 1, `${fate} ${victim}`);
        assert.ok(files.every((file) => file.name === `result-e1-${held.slot.nonce}.md`));
      }
    }
  });

  test("a lease that stands still for its length, by the sweeper's own clock, is expired and the card put back", async () => {
    const { fabric, agent, queue, clock } = await setup();
    const sweeper = await fabric.agent("sweeper");
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    const memory = new SweepMemory();
    await sweep(sweeper, queue, memory, { settleMs: 0 });
    clock.advance(RULES.leaseMs - 1);
    await sweep(sweeper, queue, memory, { settleMs: 0 });
    assert.equal(await fabric.history(agent, card), "c", "not a moment too early");
    clock.advance(2);
    await sweep(sweeper, queue, memory, { settleMs: 0 });
    assert.equal(await fabric.history(agent, card), "cx");
    const back = await fabric.see(card.id);
    assert.equal(back.columnId, queue.columns.ready.id);
    assert.equal(back.ownerId, null);
    const late = await finishDone(agent, held, "too late");
    assert.equal(late.outcome, "fenced");
    assert.deepEqual(await fabric.app.call(getAllTaskFiles(card.id), read), []);
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.ready.id);
  });

  test("two sweepers that find the same dead lease expire it once", async () => {
    const { fabric, agent, queue, clock } = await setup();
    const sweepers = [await fabric.agent("sweeper"), await fabric.agent("sweeper-2")];
    const memories = sweepers.map(() => new SweepMemory());
    const card = await fabric.card(queue);
    await won(agent, queue, card);
    const sweepAll = (): Promise<void[]> =>
      Promise.all(
        sweepers.map((sweeper, i) => sweep(sweeper, queue, memories[i] ?? new SweepMemory())),
      );
    await sweepAll();
    clock.advance(RULES.leaseMs + 1);
    await sweepAll();
    assert.equal(await fabric.history(agent, card), "cx");
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.ready.id);
  });

  test("a slot that was just written is left to its own writer to show", async () => {
    const { fabric, queue } = await setup();
    let dead = false;
    const agent = await fabric.agent("slow-hand", {
      wrap: (inner) =>
        new FlakyTransport(inner, ({ purpose }) =>
          dead && purpose === "projection" ? "drop-request" : "deliver",
        ),
    });
    const held = await won(agent, await fabric.queue(agent), await fabric.card(queue));
    dead = true;
    await finishDone(agent, held, "answer");
    const other = await fabric.agent("sweeper");
    await sweep(other, queue, new SweepMemory(), { settleMs: 3_600_000 });
    assert.equal((await fabric.see(held.task.id)).columnId, queue.columns.wip.id);
    await sweep(other, queue, new SweepMemory(), { settleMs: 0 });
    assert.equal((await fabric.see(held.task.id)).columnId, queue.columns.done.id);
  });

  test("a claim that is renewed is never expired, however long it runs", async () => {
    const { fabric, agent, queue, clock } = await setup();
    const sweeper = await fabric.agent("sweeper");
    const keeper = new LeaseKeeper(agent);
    const held = await won(agent, queue, await fabric.card(queue));
    keeper.add(held);
    const memory = new SweepMemory();
    for (let quarter = 0; quarter < 12; quarter += 1) {
      await keeper.beat();
      await sweep(sweeper, queue, memory, { settleMs: 0 });
      clock.advance(RULES.leaseMs / 4);
    }
    assert.equal(held.lost.signal.aborted, false);
    assert.equal(await fabric.history(agent, held.task), "c");
    await finishReleased(agent, held, "test over");
  });

  test("a worker without a confirmed heartbeat stops by itself after three quarters of the lease", async () => {
    const { fabric, clock } = await setup();
    let cut = false;
    const agent = await fabric.agent("cut-off", {
      wrap: (inner) => new FlakyTransport(inner, () => (cut ? "drop-request" : "deliver")),
    });
    const queue = await fabric.queue(agent);
    const keeper = new LeaseKeeper(agent);
    const held = await won(agent, queue, await fabric.card(queue));
    keeper.add(held);
    cut = true;
    clock.advance(0.5 * RULES.leaseMs);
    await keeper.beat();
    assert.equal(held.lost.signal.aborted, false);
    clock.advance(0.3 * RULES.leaseMs);
    await keeper.beat();
    assert.equal(held.lost.signal.aborted, true);
    assert.deepEqual(keeper.held, []);
    cut = false;
  });

  test("a clock that is set back or a suspend does not lengthen a lease", async () => {
    const { fabric, agent, queue, clock } = await setup();
    const keeper = new LeaseKeeper(agent);
    const held = await won(agent, queue, await fabric.card(queue));
    keeper.add(held);
    // Suspend: the monotonic clock stood still, the wall clock shows the night.
    clock.step(8 * 3_600_000);
    await keeper.beat();
    assert.equal(held.lost.signal.aborted, true);
    clock.step(-8 * 3_600_000);
  });

  test("a heartbeat that finds a later slot ends the work, although Kanboard says true", async () => {
    const { fabric, agent, queue, clock } = await setup();
    const sweeper = await fabric.agent("sweeper");
    const keeper = new LeaseKeeper(agent);
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    keeper.add(held);
    const memory = new SweepMemory();
    await sweep(sweeper, queue, memory, { settleMs: 0 });
    clock.advance(RULES.leaseMs + 1);
    await sweep(sweeper, queue, memory, { settleMs: 0 });
    clock.advance(-0.9 * RULES.leaseMs);
    await keeper.beat();
    assert.equal(held.lost.signal.aborted, true);
  });

  test("an attempt that fails is tried again later, and at the bound becomes a dead letter", async () => {
    const { fabric, agent } = await setup();
    const queue = await fabric.queue(agent, { retryDelayMs: 1 });
    const card = await fabric.card(queue);
    const memory = new SweepMemory();
    for (let attempt = 1; attempt < RULES.maxAttempts; attempt += 1) {
      const held = await won(agent, queue, await fabric.see(card.id));
      assert.equal((await finishFailed(agent, held, "no luck")).outcome, "failed");
      assert.equal((await fabric.see(card.id)).columnId, queue.columns.backlog.id, "not at once");
      await sweepUntil(agent, queue, memory, async () => {
        return (await fabric.see(card.id)).columnId === queue.columns.ready.id;
      });
    }
    const last = await won(agent, queue, await fabric.see(card.id));
    assert.equal((await finishFailed(agent, last, "no luck")).outcome, "dead-letter");
    const dead = await fabric.see(card.id);
    assert.equal(dead.columnId, queue.columns.deadLetter?.id);
    assert.equal(await fabric.history(agent, dead), "cfcfck");
  });

  test("a task that kills its worker before the first instruction is bounded too", async () => {
    const { fabric, agent, queue, clock } = await setup();
    const card = await fabric.card(queue);
    const memory = new SweepMemory();
    for (let attempt = 1; attempt <= RULES.maxAttempts; attempt += 1) {
      await won(agent, queue, await fabric.see(card.id));
      await sweep(agent, queue, memory, { settleMs: 0 });
      clock.advance(RULES.leaseMs + 1);
      await sweep(agent, queue, memory, { settleMs: 0 });
    }
    assert.equal(await fabric.history(agent, card), "cxcxck");
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.deadLetter?.id);
  });

  test("a parked task uses up no attempt and goes on by itself when its time has come", async () => {
    const { fabric, agent, queue } = await setup();
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    const until = Math.floor(agent.client.serverNow() / 1000) + 2;
    await finishParked(agent, held, { reason: "model away", wait: { until } });
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.backlog.id);
    const memory = new SweepMemory();
    await sweepUntil(
      agent,
      queue,
      memory,
      async () => (await fabric.history(agent, card)) !== "cp",
    );
    assert.equal(await fabric.history(agent, card), "cpu");
    assert.ok(agent.client.serverNow() / 1000 >= until, "not before its time");
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.ready.id);
  });

  test("a worker that dies right after its done slot is finished for, from what is on the board", async () => {
    const { fabric } = await setup();
    let dead = false;
    const agent = await fabric.agent("mortal", {
      wrap: (inner) =>
        new FlakyTransport(inner, ({ purpose }) =>
          dead && purpose === "projection" ? "drop-request" : "deliver",
        ),
    });
    const queue = await fabric.queue(agent);
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    dead = true;
    await finishDone(agent, held, "an answer that must not be lost");
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.wip.id);
    const other = await fabric.agent("undertaker");
    await sweep(other, queue, new SweepMemory(), { settleMs: 0 });
    const done = await fabric.see(card.id);
    assert.equal(done.columnId, queue.columns.done.id);
    const comments = await fabric.app.call(getAllComments(card.id), read);
    const results = comments.filter((comment) => comment.text.startsWith("✅"));
    assert.equal(results.length, 1);
    assert.match(results[0]?.text ?? "", /an answer that must not be lost/);
  });

  test("a done slot whose result never arrived is not believed: the task is done again", async () => {
    const { fabric, agent, queue } = await setup();
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    const { createTag, encodePayload, shardOf, slotName } = await import("@agap/kb-client");
    const name = slotName(held.slot.key, 2);
    const payload = encodePayload({ ...held.slot, kind: "d" });
    await fabric.app.call(createTag(shardOf(agent.ledger, card.id), name, payload), {
      purpose: "setup",
    });
    const memory = new SweepMemory();
    await sweep(agent, queue, memory, { settleMs: 0 });
    assert.equal(await fabric.history(agent, card), "cdo");
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.ready.id);
  });

  test("the card says when it was edited while it was worked on", async () => {
    const { fabric, agent, queue } = await setup();
    const { updateTask } = await import("@agap/kb-client");
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    await fabric.app.call(updateTask(card.id, { description: "new wish" }), { purpose: "setup" });
    await finishDone(agent, held, "answer to the old wish");
    const comments = await fabric.app.call(getAllComments(card.id), read);
    assert.ok(comments.some((comment) => comment.text.includes("edited after the work began")));
  });
}
