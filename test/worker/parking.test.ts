// What a worker does when the model is away, spent, or failing at everything.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { ExecutorOutcome } from "@agap/workers";
import { DONE } from "../harness/scripted-executor.ts";
import { Shift } from "./shift.ts";

const AWAY: ExecutorOutcome = {
  kind: "unavailable",
  code: "MODEL_UNAVAILABLE",
  reason: "MODEL_UNAVAILABLE: Connection error. Wait.",
};

describe("a queue whose model is away", () => {
  const shifts: Shift[] = [];
  afterEach(async () => {
    for (const shift of shifts.splice(0)) await shift.end();
  });
  const begin = async (): Promise<Shift> => {
    const shift = await Shift.begin();
    shifts.push(shift);
    return shift;
  };

  test("parks the task without an attempt, claims no other, and goes on when a probe is answered", async () => {
    const shift = await begin();
    const cards = await shift.cards(4);
    const worker = await shift.work({ slots: 1 });
    worker.executor.script = () => AWAY;
    await shift.until("parked", () => shift.events("queue.parked").length === 1);
    await shift.pass(14_000);
    assert.equal(worker.executor.jobs.length, 1, "nothing is claimed in the pause");
    worker.executor.script = () => DONE;
    await shift.until("all done", async () => {
      const columns = await Promise.all(cards.map((card) => shift.column(card)));
      return columns.every((column) => column === "done");
    });
    const histories = await Promise.all(cards.map((card) => shift.history(card)));
    assert.deepEqual(histories.toSorted(), ["cd", "cd", "cd", "cpucd"]);
    assert.equal(shift.events("queue.resumed").length, 1);
  });

  test("is probed with one task at a time, at growing distances", async () => {
    const shift = await begin();
    await shift.cards(12);
    const worker = await shift.work({ slots: 4 });
    const begun: number[] = [];
    worker.executor.script = () => {
      begun.push(shift.clock.monotonic());
      return AWAY;
    };
    await shift.pass(400_000);
    assert.equal(
      begun.filter((at) => at === begun[0]).length,
      4,
      "the first four ran side by side",
    );
    const probes = begun.slice(4);
    assert.equal(new Set(probes).size, probes.length, "then one at a time");
    const gaps = [begun[0] ?? 0, ...probes].slice(0, -1).map((at, i) => (probes[i] ?? 0) - at);
    // 15, 30, 60, 120 s, a tenth of jitter, and up to a second of polling.
    for (const [i, low] of [15_000, 30_000, 60_000, 120_000].entries()) {
      const gap = gaps[i] ?? 0;
      assert.ok(gap >= low && gap <= low * 1.1 + 1500, `${i}: ${gaps.join()}`);
    }
  });

  test("comes back when the provider said so", async () => {
    const shift = await begin();
    await shift.cards(2);
    const worker = await shift.work();
    worker.executor.script = () => ({ ...AWAY, code: "MODEL_THROTTLED", seconds: 3600 });
    await shift.until("parked", () => shift.events("queue.parked").length === 1);
    await shift.pass(3_599_000);
    assert.equal(worker.executor.jobs.length, 1);
    worker.executor.script = () => DONE;
    await shift.until("tried again", () => worker.executor.jobs.length === 2, 600_000);
  });

  test("a task that the model can't take waits for a person, and the queue goes on", async () => {
    const shift = await begin();
    const card = await shift.card("too long");
    const worker = await shift.work();
    worker.executor.script = () => ({
      kind: "question",
      reason: "MODEL_TASK_TOO_LONG: shorten it",
    });
    await shift.until("parked", async () => (await shift.history(card)) === "cp");
    worker.executor.script = () => DONE;
    const next = await shift.card("short");
    await shift.until("done", async () => (await shift.history(next)) === "cd", 60_000);
    await shift.pass(600_000);
    assert.equal(await shift.history(card), "cp", "nobody takes it again by himself");
    assert.match((await shift.comments(card)).join("\n"), /MODEL_TASK_TOO_LONG: shorten it/);
    assert.deepEqual(shift.events("queue.parked"), []);
  });

  test("a model that fails at everything does not spend every card's attempts", async () => {
    const shift = await begin();
    await shift.cards(20);
    const worker = await shift.work();
    worker.executor.script = () => ({ kind: "failed", reason: "MODEL_FAILED: boom" });
    await shift.pass(60_000);
    assert.ok(worker.executor.jobs.length <= 8, `${worker.executor.jobs.length} in a minute`);
    assert.equal(shift.events("queue.parked")[0]?.["code"], "WORKER_FAILING");
    worker.executor.script = () => DONE;
    await shift.until("all done", () => shift.events("task.done").length === 20);
  });
});
