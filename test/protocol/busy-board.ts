// What a busy board, a person at the wrong moment and a second queue may not break, over any board.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  claim,
  type FabricContext,
  finishDone,
  finishFailed,
  finishParked,
  finishReleased,
  type HeldClaim,
  moveTaskToProject,
  poll,
  type ProjectId,
  type Queue,
  type RpcRequest,
  SkipList,
  sweep,
  SweepMemory,
  type Task,
} from "@agap/kb-client";
import { openQueue, setUpQueue, submit } from "@agap/fabric";
import { FlakyTransport } from "../harness/flaky-transport.ts";
import { LockingTransport } from "../harness/locking-transport.ts";
import { RULES } from "../harness/fabric.ts";
import { apiHand } from "./hand.ts";
import type { Setup } from "./setup.ts";

const setting = { purpose: "setup" } as const;

async function won(ctx: FabricContext, queue: Queue, card: Task): Promise<HeldClaim> {
  const result = await claim(ctx, queue, card);
  assert.ok(result.outcome === "won", result.outcome);
  return result.held;
}

async function sweeps(
  ctx: FabricContext,
  queue: Queue,
  memory: SweepMemory,
  times = 5,
): Promise<void> {
  for (let i = 0; i < times; i += 1) await sweep(ctx, queue, memory, { settleMs: 0 });
}

/** An agent one of whose writes meets a locked database, once `arm` has said which. */
async function lockedOnce({ fabric }: Setup): Promise<{
  agent: FabricContext;
  arm: (which: (request: RpcRequest, purpose: string) => boolean) => void;
  met: () => boolean;
}> {
  let which: ((request: RpcRequest, purpose: string) => boolean) | null = null;
  let met = false;
  const agent = await fabric.agent(`busy${fabric.board.random.base36(5)}`, {
    wrap: (inner) =>
      new LockingTransport(inner, (request, purpose) => {
        if (!which?.(request, purpose)) return false;
        which = null;
        met = true;
        return true;
      }),
  });
  return { agent, arm: (next) => (which = next), met: () => met };
}

export function busyBoardTests(setup: () => Promise<Setup>): void {
  for (const how of ["failed", "parked"] as const) {
    test(`a ${how} task goes on although its waiting note met a locked database`, async () => {
      const s = await setup();
      const { agent, arm, met } = await lockedOnce(s);
      const queue = await s.fabric.queue(agent, { retryDelayMs: 1 });
      const held = await won(agent, queue, await s.fabric.card(queue));
      arm(({ method }, purpose) => method === "saveTaskMetadata" && purpose === "outcome");
      if (how === "failed") await finishFailed(agent, held, "no luck");
      else {
        const until = Math.floor(agent.client.serverNow() / 1000) - 1;
        await finishParked(agent, held, { reason: "model away", wait: { until } });
      }
      assert.ok(met());
      const memory = new SweepMemory();
      for (let tries = 0; tries < 100; tries += 1) {
        await sweeps(agent, queue, memory, 1);
        if ((await s.fabric.see(held.task.id)).columnId === queue.columns.ready.id) break;
      }
      assert.equal((await s.fabric.see(held.task.id)).columnId, queue.columns.ready.id);
    });
  }

  test("a released task is claimable again although its move met a locked database", async () => {
    const s = await setup();
    const { agent, arm, met } = await lockedOnce(s);
    const queue = await s.fabric.queue(agent);
    const held = await won(agent, queue, await s.fabric.card(queue));
    arm(({ method }) => method === "moveTaskToProject");
    await finishReleased(agent, held, "shutting down");
    assert.ok(met());
    await sweeps(agent, queue, new SweepMemory());
    const back = await s.fabric.see(held.task.id);
    assert.equal(back.columnId, queue.columns.ready.id);
    assert.equal(back.ownerId, null, "agents take only unassigned cards");
  });

  test("a running task dragged to Ready is claimable although taking the agent off met a locked database", async () => {
    const s = await setup();
    const { agent, arm, met } = await lockedOnce(s);
    const queue = await s.fabric.queue(agent);
    const who = await apiHand(s.fabric, queue);
    const held = await won(agent, queue, await s.fabric.card(queue));
    await who.drag(queue, await s.fabric.see(held.task.id), "ready");
    arm(({ method }) => method === "updateTask");
    await sweeps(agent, queue, new SweepMemory());
    assert.ok(met());
    const back = await s.fabric.see(held.task.id);
    assert.equal(back.columnId, queue.columns.ready.id);
    assert.equal(back.ownerId, null);
  });

  test("a dead letter of a queue without a column for them is not put back into Ready by itself", async () => {
    const { fabric, agent, queue } = await setup();
    const plain: Queue = {
      ...queue,
      columns: { ...queue.columns, deadLetter: null },
      rules: { ...queue.rules, maxAttempts: 1, retryDelayMs: -60_000 },
    };
    const held = await won(agent, plain, await fabric.card(queue));
    assert.equal((await finishFailed(agent, held, "no luck")).outcome, "dead-letter");
    await sweeps(agent, plain, new SweepMemory());
    assert.equal(await fabric.history(agent, held.task), "ck");
    assert.equal((await fabric.see(held.task.id)).columnId, queue.columns.backlog.id);
  });

  test("a task that a person drags back to Backlog after its retry came due stays there", async () => {
    const { fabric, agent } = await setup();
    const queue = await fabric.queue(agent, { retryDelayMs: -60_000 });
    const who = await apiHand(fabric, queue);
    const held = await won(agent, queue, await fabric.card(queue));
    await finishFailed(agent, held, "no luck");
    const memory = new SweepMemory();
    await sweeps(agent, queue, memory);
    const due = await fabric.see(held.task.id);
    assert.equal(due.columnId, queue.columns.ready.id);
    await who.drag(queue, due, "backlog");
    await sweeps(agent, queue, memory, 8);
    assert.equal((await fabric.see(due.id)).columnId, queue.columns.backlog.id);
    await who.drag(queue, await fabric.see(due.id), "ready");
    await sweeps(agent, queue, memory);
    const again = await fabric.see(due.id);
    assert.equal(again.columnId, queue.columns.ready.id);
    await finishReleased(agent, await won(agent, queue, again), "test over");
  });

  test("a drag or a close in the moment of a promotion stands", async () => {
    for (const act of ["drag", "close"] as const) {
      const { fabric } = await setup();
      let hand: (() => Promise<void>) | null = null;
      const agent = await fabric.agent(`racing${fabric.board.random.base36(4)}`, {
        wrap: (inner) => ({
          async send(requests, options) {
            const now = requests.some(({ method }) => method === "moveTaskToProject") ? hand : null;
            if (now) {
              hand = null;
              await now();
            }
            return inner.send(requests, options);
          },
        }),
      });
      const queue = await fabric.queue(agent, { retryDelayMs: -60_000 });
      const who = await apiHand(fabric, queue);
      const held = await won(agent, queue, await fabric.card(queue));
      await finishFailed(agent, held, "no luck");
      hand = async () => {
        const card = await fabric.see(held.task.id);
        if (act === "close") await who.close(card);
        else await who.drag(queue, card, "done");
      };
      await sweeps(agent, queue, new SweepMemory(), 8);
      assert.equal(hand, null);
      const after = await fabric.see(held.task.id);
      assert.equal(after.isActive, act !== "close", act);
      const column = act === "close" ? queue.columns.backlog : queue.columns.done;
      assert.equal(after.columnId, column.id, act);
    }
  });

  test("a question answered by a drag to Ready is claimable although its recorder died before it untagged it", async () => {
    const { fabric } = await setup();
    let dying = false;
    let dead = false;
    const agent = await fabric.agent(`dies${fabric.board.random.base36(4)}`, {
      wrap: (inner) =>
        new FlakyTransport(inner, ({ methods }) => {
          if (dead) return "drop-request";
          dead = dying && methods.includes("createTag");
          return "deliver";
        }),
    });
    const queue = await fabric.queue(agent);
    const who = await apiHand(fabric, queue);
    const held = await won(agent, queue, await fabric.card(queue));
    await finishParked(agent, held, { reason: "which one?", wait: { human: true } });
    await who.drag(queue, await fabric.see(held.task.id), "ready");
    dying = true;
    await sweep(agent, queue, new SweepMemory(), { settleMs: 0 }).catch(() => undefined);
    assert.equal(await fabric.history(agent, held.task), "cpu");
    const other = await fabric.agent(`next${fabric.board.random.base36(4)}`);
    await sweeps(other, queue, new SweepMemory());
    const rows = await poll(other, queue, new SkipList(other, RULES.leaseMs));
    assert.ok(rows.some((row) => row.id === held.task.id));
  });

  test("a submission by key whose move met a locked database is finished when it is repeated", async () => {
    const s = await setup();
    const { agent, arm, met } = await lockedOnce(s);
    const queue = await s.fabric.queue(agent);
    const key = `locked ${s.fabric.board.random.base36(6)}`;
    arm(({ method }) => method === "moveTaskToProject");
    await submit(agent, queue, { title: "once", key }).catch(() => undefined);
    assert.ok(met());
    const { id } = await submit(agent, queue, { title: "once", key });
    assert.equal((await s.fabric.see(id)).columnId, queue.columns.ready.id);
  });

  test("a card moved to another queue is left to that queue, and found again when it comes back", async () => {
    const { fabric, queue } = await setup();
    const name = `second${fabric.board.random.base36(4)}`;
    const { uuid, firstProject, shards } = fabric.config.ledger;
    const binding = { uuid, firstProject: firstProject as ProjectId, shards };
    const { entry } = await setUpQueue(fabric.app, binding, { name });
    fabric.config.queues[name] = entry;
    const agent = await fabric.agent(`both${fabric.board.random.base36(4)}`);
    const second = await openQueue(agent, fabric.config, name, RULES);
    const [here, there] = [new SweepMemory(), new SweepMemory()];
    const card = await fabric.card(queue);
    await sweeps(agent, queue, here);
    await sweeps(agent, second, there);
    const moveTo = async (to: Queue): Promise<Task> => {
      const { swimlaneId, ownerId } = await fabric.see(card.id);
      const columnId = to.columns.ready.id;
      const projectId = to.project;
      await fabric.app.call(
        moveTaskToProject({ taskId: card.id, projectId, columnId, swimlaneId, ownerId }),
        setting,
      );
      return fabric.see(card.id);
    };
    const held = await won(agent, second, await moveTo(second));
    await sweeps(agent, queue, here);
    await sweeps(agent, second, there);
    assert.equal(await fabric.history(agent, card), "c", "a healthy claim of the other queue");
    await finishReleased(agent, held, "test");
    await sweeps(agent, second, there);
    // Back where it is a stranger by now, and parked there before a sweep could see it.
    const again = await won(agent, queue, await moveTo(queue));
    const until = Math.floor(agent.client.serverNow() / 1000) - 1;
    await finishParked(agent, again, { reason: "model away", wait: { until } });
    await sweeps(agent, queue, here, 8);
    assert.ok(!here.strangers.has(held.slot.key));
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.ready.id);
  });

  test("one card that can't be repaired does not keep the sweep from the others", async () => {
    const { fabric } = await setup();
    let bad = 0;
    const agent = await fabric.agent(`picky${fabric.board.random.base36(4)}`, {
      wrap: (inner) =>
        new LockingTransport(inner, ({ method, params }, purpose) => {
          return purpose === "read" && method === "getAllComments" && params["task_id"] === bad;
        }),
    });
    const queue = await fabric.queue(agent);
    let cut = true;
    const dying = await fabric.agent(`dying${fabric.board.random.base36(4)}`, {
      wrap: (inner) =>
        new FlakyTransport(inner, ({ purpose }) =>
          cut && purpose === "projection" ? "drop-request" : "deliver",
        ),
    });
    const cards = [await fabric.card(queue), await fabric.card(queue)];
    cut = false;
    const held = [];
    for (const card of cards) held.push(await won(dying, queue, card));
    cut = true;
    for (const one of held) await finishDone(dying, one, "answer");
    bad = cards[0]?.id ?? 0;
    const memory = new SweepMemory();
    for (let i = 0; i < 3; i += 1) {
      await sweep(agent, queue, memory, { settleMs: 0 }).catch(() => undefined);
    }
    const other = cards[1];
    assert.ok(other);
    assert.equal((await fabric.see(other.id)).columnId, queue.columns.done.id);
    bad = 0;
    await sweeps(agent, queue, memory);
  });
}
