// A worker as a process, on a real Kanboard; the model is a scripted stand-in for LiteLLM.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import {
  getAllComments,
  getAllTaskFiles,
  type ProjectId,
  removeProject,
  systemClock,
  type Task,
} from "@agap/kb-client";
import { TestFabric } from "../harness/fabric.ts";
import { Gate } from "../harness/gate.ts";
import { type Employment, type HiredWorker, hireWorker } from "../harness/hired-worker.ts";
import { startTestKanboard, type TestKanboard, whyNoKanboard } from "../harness/kanboard.ts";
import { realBoard } from "../harness/real-board.ts";
import { beginStream, ScriptedModel, sendPiece } from "../harness/scripted-model.ts";

const skip = whyNoKanboard();
const KEY = "sk-a-key-that-no-log-may-show";

interface Office {
  kanboard: TestKanboard;
  fabric: TestFabric;
  model: ScriptedModel;
  hire(employment?: Partial<Employment>): Promise<HiredWorker>;
  card(title: string): Promise<Task>;
  history(card: Task): Promise<string>;
  comments(card: Task): Promise<string[]>;
}

describe("a worker process", { skip }, () => {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  });

  async function open(): Promise<Office> {
    const kanboard = await startTestKanboard();
    undo.push(() => kanboard.stop());
    const fabric = await TestFabric.create(realBoard(kanboard, systemClock));
    const model = await ScriptedModel.start();
    undo.push(() => model.stop());
    const onlooker = await fabric.agent("onlooker");
    const queue = await fabric.queue(onlooker);
    const read = { purpose: "read" } as const;
    return {
      kanboard,
      fabric,
      model,
      async hire(employment = {}) {
        const litellm = { url: model.url, key: KEY };
        const worker = await hireWorker(fabric, kanboard, {
          agent: "worker-local",
          litellm,
          ...employment,
        });
        undo.push(() => worker.end());
        return worker;
      },
      card: (title) => fabric.card(queue, { title }),
      history: (card) => fabric.history(onlooker, card),
      async comments(card) {
        const comments = await fabric.app.call(getAllComments(card.id), read);
        return comments.map(({ text }) => text);
      },
    };
  }

  test("answers a card: the answer is attached, the comment names the call, the log holds no secret", async () => {
    const office = await open();
    const card = await office.card("Say hello");
    const worker = await office.hire({ env: { FABRIC_LOG_LEVEL: "debug" } });
    await worker.says("task.done");
    const comment = (await office.comments(card)).find((text) => text.startsWith("✅"));
    assert.match(comment ?? "", /Hello there\./);
    assert.match(comment ?? "", /_model local-small · call call-1 · 153\+42 tokens_/);
    const files = await office.fabric.app.call(getAllTaskFiles(card.id), { purpose: "read" });
    assert.equal(files.length, 1);
    assert.equal(await office.history(card), "cd");
    worker.child.kill("SIGTERM");
    assert.equal(await worker.exited, 0);
    assert.equal(worker.said("worker.stopped").length, 1);
    assert.doesNotMatch(worker.text(), new RegExp(`${KEY}|${worker.token}`));
    for (const line of worker.text().trim().split("\n")) {
      const { service, queue, worker: account, instance } = JSON.parse(line);
      assert.deepEqual([service, queue, account], ["worker", "local", "worker-local"], line);
      assert.match(instance, /^[0-9a-z]{8}$/);
    }
  });

  test("told to stop, it hands back what is not finished within the grace, and the model stops", async () => {
    const office = await open();
    office.model.script = (call) => {
      beginStream(call);
      sendPiece(call, { content: "Once upon a time" });
    };
    const card = await office.card("Tell me a story");
    const worker = await office.hire({ config: { grace: "500ms" } });
    const call = await office.model.arrival();
    worker.child.kill("SIGTERM");
    assert.equal(await worker.exited, 0);
    await call.closed;
    assert.ok(call.wasCut);
    assert.equal(await office.history(card), "cr");
    const { columnId } = await office.fabric.see(card.id);
    assert.equal(columnId, card.columnId, "back in Ready");
  });

  test("a second signal does not wait for the grace", async () => {
    const office = await open();
    office.model.script = (call) => beginStream(call);
    const card = await office.card("Tell me a story");
    const worker = await office.hire({ config: { grace: "10m" } });
    await office.model.arrival();
    worker.child.kill("SIGINT");
    worker.child.kill("SIGTERM");
    assert.equal(await worker.exited, 0);
    assert.equal(await office.history(card), "cr");
  });

  test("a board that is down at the start is waited for; one that goes away does not cost an answer", async () => {
    const office = await open();
    const gate = await Gate.open(office.kanboard.url);
    undo.push(() => gate.shut());
    await gate.shut();
    const card = await office.card("Say hello");
    const worker = await office.hire({ env: { KANBOARD_URL: gate.url } });
    await worker.says("board.unreachable");
    const arrival = office.model.arrival();
    let answer = (): void => undefined;
    const { script } = office.model;
    office.model.script = (call) => {
      answer = () => void script(call);
    };
    await gate.reopen();
    await worker.says("board.back");
    await arrival;
    await gate.shut();
    answer();
    await worker.says("write.read_back");
    await gate.reopen();
    await worker.says("task.done");
    assert.equal(await office.history(card), "cd");
    assert.equal(office.model.calls.length, 1, "the model was asked once");
  });

  test("LiteLLM that is down parks the queue before anything is claimed", async () => {
    const office = await open();
    const gate = await Gate.open(office.model.url);
    undo.push(() => gate.shut());
    await gate.shut();
    const card = await office.card("Say hello");
    const config = { unavailable: { first: "300ms", longest: "1s" } };
    const worker = await office.hire({ litellm: { url: gate.url, key: KEY }, config });
    await worker.says("queue.parked", 2);
    assert.equal(worker.said("queue.parked")[0]?.["code"], "MODEL_UNREACHABLE");
    assert.equal(await office.history(card), "");
    await gate.reopen();
    await worker.says("task.done");
    assert.equal(worker.said("queue.resumed").length, 1);
    assert.equal(await office.history(card), "cd");
  });

  const refusals: [what: string, exit: number, code: string, spoil: Partial<Employment>][] = [
    [
      "a wrong token",
      77,
      "KB_UNAUTHORIZED",
      { env: { KANBOARD_TOKEN_WORKER_LOCAL: "of-somebody-else" } },
    ],
    ["no key for the model", 77, "WORKER_NO_CREDENTIAL", { env: { LITELLM_MASTER_KEY: "" } }],
    ["a configuration with a slip", 65, "CONFIG_INVALID", { config: { slot: 3 } }],
    ["a queue that is not on the board", 66, "QUEUE_UNKNOWN", { board: { queues: {} } }],
    [
      "another ledger than the board's",
      78,
      "LEDGER_FOREIGN",
      { board: { ledger: { uuid: "0".repeat(32), firstProject: 1, shards: 8 } } },
    ],
  ];
  test("what it can't run with ends it, with an exit code, an error code and a hint", async () => {
    const office = await open();
    for (const [what, exit, code, spoil] of refusals) {
      const worker = await office.hire(spoil);
      assert.equal(await worker.exited, exit, `${what}: ${worker.text()}`);
      const [fatal] = worker.said("worker.stopped_by_error");
      assert.equal(fatal?.["code"], code, what);
      assert.ok(fatal?.["hint"], `${what}: ${worker.text()}`);
    }
  });

  test("a ledger that is gone while it runs ends it with 78", async () => {
    const office = await open();
    const { ledger } = office.fabric.config;
    const busy = await office.hire();
    await busy.says("worker.started");
    const { app } = office.fabric;
    for (let i = 0; i < ledger.shards; i += 1) {
      const project = (ledger.firstProject + i) as ProjectId;
      await app.call(removeProject(project), { purpose: "setup" });
    }
    assert.equal(await busy.exited, 78, busy.text());
    assert.equal(busy.said("worker.stopped_by_error")[0]?.["code"], "LEDGER_MISSING");
  });
});
