// The table of gestures, row by row, with a person's account doing what a mouse does.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  claim,
  createProject,
  createTask,
  finishDone,
  finishFailed,
  finishParked,
  finishReleased,
  addProjectUser,
  GESTURES,
  getTaskTags,
  LeaseKeeper,
  moveTaskToProject,
  moveWithinProject,
  removeTask,
  sweep,
  SweepMemory,
  updateTask,
  type FabricContext,
  type HeldClaim,
  type Place,
  type Queue,
  type State,
  type Task,
} from "@agap/kb-client";
import { apiHand, type Hand, type MakeHand, secondAfter } from "./hand.ts";
import type { Setup } from "./setup.ts";

const options = { purpose: "setup" } as const;

async function won(ctx: FabricContext, queue: Queue, card: Task): Promise<HeldClaim> {
  const result = await claim(ctx, queue, card);
  assert.ok(result.outcome === "won");
  return result.held;
}

/** A card in each state, made the way the fabric makes it. */
async function cardIn(state: State, s: Setup, who: Hand, memory: SweepMemory): Promise<Task> {
  const { fabric, agent, queue } = s;
  const card = await fabric.card(queue, { title: state });
  const settle = async (): Promise<Task> => {
    await sweep(agent, queue, memory, { settleMs: 0 });
    return fabric.see(card.id);
  };
  switch (state) {
    case "waiting":
      await finishReleased(agent, await won(agent, queue, card), "test");
      return settle();
    case "working":
      await won(agent, queue, card);
      return settle();
    case "parked": {
      const until = Math.floor(agent.client.serverNow() / 1000) + 3600;
      await finishParked(agent, await won(agent, queue, card), { reason: "test", wait: { until } });
      return settle();
    }
    case "taken": {
      const waiting = await cardIn("waiting", s, who, memory);
      await who.drag(queue, waiting, "wip");
      await sweep(agent, queue, memory, { settleMs: 0 });
      return fabric.see(waiting.id);
    }
    case "done":
      await finishDone(agent, await won(agent, queue, card), "result");
      return settle();
    case "verified":
      await finishDone(agent, await won(agent, queue, card), "result");
      await who.close(card);
      return settle();
    case "dead": {
      const strict = { ...queue, rules: { ...queue.rules, maxAttempts: 1 } };
      await finishFailed(agent, await won(agent, strict, card), "test");
      return settle();
    }
    case "canceled":
      await finishReleased(agent, await won(agent, queue, card), "test");
      await settle();
      await who.close(card);
      return settle();
  }
}

const home: Record<State, Place> = {
  waiting: "ready",
  working: "wip",
  parked: "backlog",
  taken: "wip",
  done: "done",
  verified: "closed",
  dead: "deadLetter",
  canceled: "closed",
};

const columns = ["backlog", "ready", "wip", "done", "deadLetter"] as const;

export function gestureTableTests(setup: () => Promise<Setup>, hand: MakeHand = apiHand): void {
  for (const state of Object.keys(GESTURES) as State[]) {
    const isClosed = home[state] === "closed";
    const places: Place[] = isClosed ? ["ready"] : columns.filter((place) => place !== home[state]);
    if (!isClosed) places.push("closed");
    test(`what a person does to a card that is ${state} is recorded as the table says`, async () => {
      const s = await setup();
      const { fabric, agent, queue } = s;
      const who = await hand(fabric, queue);
      const memory = new SweepMemory();
      for (const place of places) {
        const card = await cardIn(state, s, who, memory);
        const before = await fabric.history(agent, card);
        const where = `${state} -> ${place}`;
        if (isClosed) await who.reopen(card);
        else if (place === "closed") await who.close(card);
        else await who.drag(queue, card, place as (typeof columns)[number]);
        const touched = await fabric.see(card.id);
        const row = GESTURES[state][isClosed ? placeIn(queue, touched) : place];
        const expected = before + row.writes.join("");
        // Cards outside Ready and Work in progress are looked at in every fourth sweep.
        for (let sweeps = 0; sweeps < 4; sweeps += 1) {
          await sweep(agent, queue, memory, { settleMs: 0 });
          if ((await fabric.history(agent, card)) === expected) break;
        }
        await sweep(agent, queue, memory, { settleMs: 0 });
        assert.equal(await fabric.history(agent, card), expected, where);
        const after = await fabric.see(card.id);
        if (row.card?.moveTo === undefined) {
          assert.equal(
            after.columnId,
            touched.columnId,
            `${where}: the card stays where it was put`,
          );
        } else {
          assert.equal(after.columnId, queue.columns[row.card.moveTo].id, where);
        }
        assert.equal(after.isActive, touched.isActive, where);
        if (row.card?.unassign) assert.equal(after.ownerId, null, where);
        const tags = await fabric.app.call(getTaskTags(card.id), options);
        if (row.card?.untag)
          assert.ok(!tags.includes("blocked") && !tags.includes("dead-letter"), where);
        if (row.card?.tagDead) assert.ok(tags.includes("dead-letter"), where);
      }
    });
  }
}

export function gestureRaceTests(setup: () => Promise<Setup>, hand: MakeHand = apiHand): void {
  test("a drag stands although agents moved two hundred cards since; a card that jumped is put back", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const memory = new SweepMemory();
    const dragged = await won(agent, queue, await fabric.card(queue, { title: "dragged" }));
    const jumped = await won(agent, queue, await fabric.card(queue, { title: "jumped" }));
    await sweep(agent, queue, memory, { settleMs: 0 });
    await who.drag(queue, await fabric.see(dragged.task.id), "backlog");
    // What a foreign move does to its victims: the column changes, date_moved does not.
    const there = await fabric.see(jumped.task.id);
    await fabric.app.call(
      moveWithinProject({
        taskId: there.id,
        projectId: queue.project,
        column: queue.columns.ready,
        swimlaneId: there.swimlaneId,
        ownerId: undefined,
      }),
      options,
    );
    const other = await fabric.card(queue, { title: "bystander" });
    for (let events = 0; events < 200; events += 20) {
      await agent.client.batch(
        Array.from({ length: 20 }, (_, i) => updateTask(other.id, { title: `edit ${events + i}` })),
        options,
      );
    }
    await sweep(agent, queue, memory, { settleMs: 0 });
    assert.equal((await fabric.see(dragged.task.id)).columnId, queue.columns.backlog.id);
    assert.equal(await fabric.history(agent, dragged.task), "cr");
    assert.equal((await fabric.see(jumped.task.id)).columnId, queue.columns.wip.id);
    assert.equal(await fabric.history(agent, jumped.task), "c");
  });

  test("dragging a running card away ends its worker's lease at the next heartbeat", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const memory = new SweepMemory();
    const keeper = new LeaseKeeper(agent);
    const held = await won(agent, queue, await fabric.card(queue));
    keeper.add(held);
    await sweep(agent, queue, memory, { own: new Set([held.task.id]), settleMs: 0 });
    await who.drag(queue, await fabric.see(held.task.id), "ready");
    await sweep(agent, queue, memory, { own: new Set([held.task.id]), settleMs: 0 });
    await keeper.beat();
    assert.equal(held.lost.signal.aborted, true);
    assert.equal((await finishDone(agent, held, "unwanted")).outcome, "fenced");
  });

  test("a card closed while the claim was on its way stays closed, and the claim is undone", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const card = await fabric.card(queue);
    await who.close(card);
    assert.equal((await claim(agent, queue, card)).outcome, "withdrawn");
    assert.equal((await fabric.see(card.id)).isActive, false);
    assert.equal(await fabric.history(agent, card), "cq");
  });

  test("a card assigned to a person while the claim was on its way stays theirs", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const card = await fabric.card(queue);
    const me = await who.take(card);
    assert.equal((await claim(agent, queue, card)).outcome, "withdrawn");
    const after = await fabric.see(card.id);
    assert.equal(after.ownerId, me);
    assert.equal(after.columnId, queue.columns.ready.id);
    assert.equal(await fabric.history(agent, card), "cr");
  });

  test("a running card that is assigned to a person is theirs: the worker stops", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const held = await won(agent, queue, await fabric.card(queue));
    await who.take(held.task);
    await sweep(agent, queue, new SweepMemory(), { settleMs: 0 });
    assert.equal(await fabric.history(agent, held.task), "ch");
  });

  test("a card closed while its worker was finishing stays closed and counts as canceled", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const held = await won(agent, queue, await fabric.card(queue));
    await who.close(held.task);
    await finishDone(agent, held, "too late to matter");
    await sweep(agent, queue, new SweepMemory(), { settleMs: 0 });
    assert.equal((await fabric.see(held.task.id)).isActive, false);
    assert.equal(await fabric.history(agent, held.task), "cdoq");
  });

  test("a card that a dead worker's move had reopened is closed again", async () => {
    const { fabric, agent, queue } = await setup();
    const who = await hand(fabric, queue);
    const card = await fabric.card(queue);
    const held = await won(agent, queue, card);
    await who.close(card);
    const { ids } = { ids: { taskId: card.id, projectId: queue.project } };
    const reopen = moveTaskToProject({
      ...ids,
      columnId: queue.columns.wip.id,
      swimlaneId: card.swimlaneId,
      ownerId: agent.me.userId,
    });
    await agent.client.call(reopen, options);
    assert.equal((await fabric.see(card.id)).isActive, true);
    await sweep(agent, queue, new SweepMemory(), { settleMs: 0 });
    assert.equal((await fabric.see(card.id)).isActive, false);
    assert.equal(await fabric.history(agent, held.task), "cq");
  });

  test("a running card that is moved to another project is released and left there", async () => {
    const { fabric, agent, queue } = await setup();
    const other = await fabric.app.call(createProject({ name: "somewhere else" }), options);
    assert.ok(other);
    await fabric.app.call(addProjectUser(other, agent.me.userId, "project-member"), options);
    const memory = new SweepMemory();
    const held = await won(agent, queue, await fabric.card(queue));
    await sweep(agent, queue, memory, { settleMs: 0 });
    await fabric.app.call(moveTaskToProject({ taskId: held.task.id, projectId: other }), options);
    await sweep(agent, queue, memory, { settleMs: 0 });
    assert.equal(
      await fabric.history(agent, held.task),
      "c",
      "concluded only when it was missed twice",
    );
    await sweep(agent, queue, memory, { settleMs: 0 });
    assert.equal(await fabric.history(agent, held.task), "cr");
    assert.equal((await fabric.see(held.task.id)).projectId, other);
  });

  test("a deleted card's id that is given to a new card does not pass on its log", async () => {
    const { fabric, agent, queue } = await setup();
    const old = await won(agent, queue, await fabric.card(queue, { title: "deleted" }));
    await secondAfter(agent.client, old.task.dateCreation);
    await fabric.app.call(removeTask(old.task.id), options);
    const id = await fabric.app.call(
      createTask({ projectId: queue.project, title: "newcomer", columnId: queue.columns.ready.id }),
      options,
    );
    assert.equal(
      id,
      old.task.id,
      "SQLite gives the id again; where it does not, this test tests nothing",
    );
    const held = await won(agent, queue, await fabric.see(old.task.id));
    assert.equal(held.slot.n, 1);
    const finished = await finishDone(agent, held, "the newcomer's answer");
    assert.equal(finished.outcome, "done");
    assert.equal((await finishDone(agent, old, "the dead card's answer")).outcome, "done");
    assert.equal((await fabric.see(held.task.id)).title, "newcomer");
  });
}

function placeIn(queue: Queue, task: Task): Place {
  const found = columns.find((role) => queue.columns[role]?.id === task.columnId);
  return found ?? "other";
}
