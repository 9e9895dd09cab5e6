// Set-up, submission by key, and the sentence for a card that nobody will take.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BINDING_TAG,
  createTag,
  encodeBinding,
  getAllComments,
  getAllProjects,
  getTaskTags,
  getTaskMetadata,
  isFabricError,
  poll,
  type ProjectId,
  setTaskTags,
  SkipList,
  sweep,
  SweepMemory,
  updateProject,
  updateTask,
} from "@agap/kb-client";
import { findLedger, openFabric, openQueue, setUpLedger, setUpQueue, submit } from "@agap/fabric";
import { FlakyTransport } from "../harness/flaky-transport.ts";
import { RULES } from "../harness/fabric.ts";
import { apiHand } from "./hand.ts";
import type { Setup } from "./setup.ts";

const read = { purpose: "read" } as const;
const setting = { purpose: "setup" } as const;

export function queueRuleTests(setup: () => Promise<Setup>): void {
  test("a second set-up of the same board joins its ledger and makes no other", async () => {
    const { fabric } = await setup();
    const found = await findLedger(fabric.app);
    const before = await fabric.app.call(getAllProjects(), read);
    const { binding, created } = await setUpLedger(fabric.app, fabric.board.random);
    assert.equal(created, false);
    assert.deepEqual(binding, found);
    assert.equal((await fabric.app.call(getAllProjects(), read)).length, before.length);
  });

  test("a queue of another ledger is refused, and so is one that carries no binding", async () => {
    const { fabric, agent } = await setup();
    const foreign = { ...agent.ledger, uuid: "f".repeat(32) };
    const { entry } = await setUpQueue(fabric.app, agent.ledger, { name: "other" });
    const board = { ...fabric.config, queues: { other: entry }, ledger: foreign };
    await assert.rejects(
      openFabric({ ...fabric.board, transport: fabric.board.app(), board, emit: agent.emit }),
      (error) => {
        return isFabricError(error) && ["LEDGER_FOREIGN", "KB_FORBIDDEN"].includes(error.code);
      },
    );
    const bare = await fabric.app.call(
      (await import("@agap/kb-client")).createProject({ name: "no queue" }),
      setting,
    );
    const columns = { backlog: 1, ready: 2, wip: 3, done: 4 };
    const config = { ...fabric.config, queues: { bare: { project: bare as number, columns } } };
    const app = { ...agent, client: fabric.app };
    await assert.rejects(openQueue(app, config, "bare", RULES), { code: "LEDGER_UNBOUND" });
    const taken = encodeBinding(foreign);
    await fabric.app.call(createTag(bare as ProjectId, BINDING_TAG, taken), setting);
    await assert.rejects(openQueue(app, config, "bare", RULES), { code: "LEDGER_FOREIGN" });
  });

  test("a ledger that is gone stops whoever needs it; one that was renamed is found by its ids", async () => {
    const { fabric, agent } = await setup();
    const { firstProject } = agent.ledger;
    const rename = updateProject(firstProject, { name: "something else" });
    await fabric.app.call(rename, setting);
    await fabric.agent("after-rename");
    const gone = { ...fabric.config.ledger, firstProject: 99_999 };
    const options = {
      ...fabric.board,
      transport: await fabric.board.user("after-rename"),
      board: { ...fabric.config, ledger: gone },
      emit: agent.emit,
    };
    await assert.rejects(openFabric(options), { code: "LEDGER_MISSING" });
  });

  test("an unknown queue names the known ones", async () => {
    const { fabric, agent } = await setup();
    await assert.rejects(openQueue(agent, fabric.config, "lokal", RULES), {
      code: "QUEUE_UNKNOWN",
      hint: "Known queues: local.",
    });
  });

  test("the same key is the same task, however often and by however many it is submitted at once", async () => {
    const { fabric, agent, queue } = await setup();
    const key = `report ${fabric.board.random.base36(6)}`;
    const all = await Promise.all(
      Array.from({ length: 6 }, () => submit(agent, queue, { title: "weekly report", key })),
    );
    assert.equal(new Set(all.map((submitted) => submitted.id)).size, 1);
    assert.equal(all.filter((submitted) => submitted.created).length, 1);
    const again = await submit(agent, queue, { title: "weekly report", key });
    assert.equal(again.created, false);
    const task = await fabric.see(again.id);
    assert.equal(task.columnId, queue.columns.ready.id);
    const metadata = await fabric.app.call(getTaskMetadata(task.id), read);
    assert.equal(metadata["f.key"], key);
  });

  test("whichever reply of a submission by key is lost, repeating it finishes the same task", async () => {
    const { fabric } = await setup();
    for (const victim of [1, 2, 3]) {
      let number = 0;
      let armed = false;
      const agent = await fabric.agent("submitter", {
        wrap: (inner) =>
          new FlakyTransport(inner, ({ purpose }) => {
            if (!armed || purpose !== "submit") return "deliver";
            number += 1;
            return number === victim ? "drop-answer" : "deliver";
          }),
      });
      const queue = await fabric.queue(agent);
      const key = `victim ${victim} ${fabric.board.random.base36(6)}`;
      armed = true;
      await submit(agent, queue, { title: "once", key }).catch((error: unknown) => {
        assert.ok(isFabricError(error) && error.retryable === "ambiguous");
      });
      armed = false;
      const second = await submit(agent, queue, { title: "once", key });
      const rows = await poll(agent, queue, new SkipList(agent, RULES.leaseMs));
      const mine = rows.filter((row) => row.reference === key);
      assert.deepEqual(
        mine.map((row) => row.id),
        [second.id],
        `victim ${victim}`,
      );
    }
  });

  test("a plain submission whose reply was lost is found by its reference", async () => {
    const { fabric } = await setup();
    let armed = false;
    const agent = await fabric.agent("plain-sub", {
      wrap: (inner) =>
        new FlakyTransport(inner, ({ methods }) => {
          return armed && methods.includes("createTask") ? "drop-answer" : "deliver";
        }),
    });
    const queue = await fabric.queue(agent);
    armed = true;
    const { id } = await submit(agent, queue, { title: "lost and found" });
    assert.equal((await fabric.see(id)).title, "lost and found");
  });

  test("an empty intent and a score out of range change nothing and say what to do", async () => {
    const { agent, queue } = await setup();
    for (const input of [{ title: "  " }, { title: "x".repeat(256) }, { title: "x", score: -1 }]) {
      await assert.rejects(submit(agent, queue, input), { code: "SUBMIT_INVALID" });
    }
  });

  test("a NUL character in prose is dropped, in a key it is refused", async () => {
    const { fabric, agent, queue } = await setup();
    const { id } = await submit(agent, queue, { title: "a\0b", description: "c\0d" });
    const task = await fabric.see(id);
    assert.deepEqual([task.title, task.description], ["ab", "cd"]);
    const refused = submit(agent, queue, { title: "x", key: "k\0k" });
    await assert.rejects(refused, { code: "KB_NUL_CHARACTER" });
  });

  test("a description of one megabyte and emoji arrive as they were sent", async () => {
    const { fabric, agent, queue } = await setup();
    const description = `🚀${"x".repeat(1_000_000)}`;
    const { id } = await submit(agent, queue, { title: "big 🧵", description });
    const task = await fabric.see(id);
    assert.equal(task.title, "big 🧵");
    assert.equal(task.description.length, description.length);
  });

  test("a card that nobody will take gets one sentence that says why, and no second one", async () => {
    const { fabric, agent, queue } = await setup();
    const held = await fabric.card(queue, { title: "in Backlog", role: "backlog" });
    const assigned = await fabric.card(queue, { title: "assigned" });
    await fabric.app.call(updateTask(assigned.id, { ownerId: agent.me.userId }), setting);
    const blocked = await fabric.card(queue, { title: "blocked" });
    await fabric.app.call(setTaskTags(queue.project, blocked.id, ["blocked"]), setting);
    for (let sweeps = 0; sweeps < 6; sweeps += 1)
      await sweep(agent, queue, new SweepMemory(), { settleMs: 0 });
    const texts = async (id: typeof held.id): Promise<string[]> =>
      (await fabric.app.call(getAllComments(id), read)).map((comment) => comment.text);
    assert.deepEqual((await texts(held.id)).length, 1);
    assert.match((await texts(held.id))[0] ?? "", /Drag this one there/);
    assert.match((await texts(assigned.id)).join(), /set the assignee to nobody/);
    assert.equal((await texts(assigned.id)).length, 1);
    assert.match((await texts(blocked.id)).join(), /once the tag is removed/);
    const rows = await poll(agent, queue, new SkipList(agent, RULES.leaseMs));
    const ids = rows.map((row) => row.id);
    for (const card of [held, assigned, blocked]) assert.ok(!ids.includes(card.id), card.title);
    await fabric.app.call(setTaskTags(queue.project, blocked.id, []), setting);
    const after = await poll(agent, queue, new SkipList(agent, RULES.leaseMs));
    assert.ok(
      after.some((row) => row.id === blocked.id),
      "taken once the tag is gone",
    );
  });

  test("a queue may take new cards from Backlog too, and still holds what a person dragged there", async () => {
    const { fabric, agent } = await setup();
    const queue = await fabric.queue(agent, { intake: ["ready", "backlog"] });
    const card = await fabric.card(queue, { title: "new in Backlog", role: "backlog" });
    const memory = new SweepMemory();
    await sweep(agent, queue, memory, { settleMs: 0 });
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.ready.id);
    const who = await apiHand(fabric, queue);
    await who.drag(queue, await fabric.see(card.id), "backlog");
    for (let sweeps = 0; sweeps < 5; sweeps += 1)
      await sweep(agent, queue, memory, { settleMs: 0 });
    assert.equal((await fabric.see(card.id)).columnId, queue.columns.backlog.id);
  });

  test("a queue that needs a score asks for it, and takes the card once it is set and dragged back", async () => {
    const { fabric, agent } = await setup();
    const queue = await fabric.queue(agent, { requireScore: true });
    const card = await fabric.card(queue, { title: "unrated" });
    const memory = new SweepMemory();
    await sweep(agent, queue, memory, { settleMs: 0 });
    const asked = await fabric.see(card.id);
    assert.equal(asked.columnId, queue.columns.wip.id);
    assert.ok((await fabric.app.call(getTaskTags(card.id), read)).includes("blocked"));
    assert.equal(await fabric.history(agent, card), "p");
    const rows = await poll(agent, queue, new SkipList(agent, RULES.leaseMs));
    assert.ok(!rows.some((row) => row.id === card.id));
  });
}
