// How a worker ends.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { DONE } from "../harness/scripted-executor.ts";
import { Shift, type Worker } from "./shift.ts";

describe("a worker that is told to stop", () => {
  const shifts: Shift[] = [];
  afterEach(async () => {
    for (const shift of shifts.splice(0)) await shift.end();
  });
  async function atWork(
    cards = 1,
    options: Parameters<Shift["work"]>[0] = {},
  ): Promise<{ shift: Shift; worker: Worker; made: Awaited<ReturnType<Shift["cards"]>> }> {
    const shift = await Shift.begin();
    shifts.push(shift);
    const made = await shift.cards(cards);
    const worker = await shift.work(options);
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    return { shift, worker, made };
  }

  test("ends at once when it holds nothing", async () => {
    const shift = await Shift.begin();
    shifts.push(shift);
    const worker = await shift.work();
    await shift.pass(5000);
    worker.stop();
    assert.ok((await shift.until("ended", () => worker.hasEnded(), 5000, 1)) <= 2);
    assert.equal(await worker.ended, null);
  });

  test("claims nothing more, and lets running work finish within the grace", async () => {
    const { shift, worker, made } = await atWork(2);
    worker.stop();
    await shift.pass(15_000);
    assert.ok(!worker.hasEnded());
    worker.executor.jobs[0]?.end(DONE);
    await shift.until("ended", () => worker.hasEnded(), 5000);
    const histories = await Promise.all(made.map((card) => shift.history(card)));
    assert.deepEqual(histories.toSorted(), ["", "cd"]);
  });

  test("hands back what is not finished after the grace, at once claimable and without an attempt", async () => {
    const { shift, worker, made } = await atWork();
    worker.stop();
    const took = await shift.until("ended", () => worker.hasEnded(), 60_000);
    assert.ok(took >= 20_000 && took <= 22_000, `${took} ms`);
    assert.ok(worker.executor.jobs[0]?.signal.aborted);
    assert.equal(await shift.history(made[0]!), "cr");
    assert.equal(await shift.column(made[0]!), "ready");
  });

  test("hands back at once when it is told twice", async () => {
    const { shift, worker, made } = await atWork();
    worker.stop();
    await shift.pass(1000);
    worker.stopNow();
    assert.ok((await shift.until("ended", () => worker.hasEnded(), 20_000)) <= 1000);
    assert.equal(await shift.history(made[0]!), "cr");
  });

  test("an executor that answers its abort with a failure does not cost an attempt", async () => {
    const { shift, worker, made } = await atWork();
    const [job] = worker.executor.jobs;
    worker.executor.obeys = false;
    job?.signal.addEventListener("abort", () => job.end({ kind: "failed", reason: "aborted" }));
    worker.stop();
    worker.stopNow();
    await shift.until("ended", () => worker.hasEnded(), 60_000);
    assert.equal(await shift.history(made[0]!), "cr");
  });

  test("an answer that is complete at the last moment is kept", async () => {
    const { shift, worker, made } = await atWork();
    const [job] = worker.executor.jobs;
    job?.end(DONE);
    worker.stop();
    worker.stopNow();
    await shift.until("ended", () => worker.hasEnded(), 60_000);
    assert.equal(await shift.history(made[0]!), "cd");
  });

  test("neither a deaf executor nor a board that is away holds the process for long", async () => {
    const shift = await Shift.begin();
    shifts.push(shift);
    const card = await shift.card();
    const worker = await shift.work();
    worker.executor.obeys = false;
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    shift.unreachable(true);
    worker.stop();
    worker.stopNow();
    const took = await shift.until("ended", () => worker.hasEnded(), 60_000);
    assert.ok(took <= 8000, `${took} ms`);
    assert.equal(await shift.history(card), "c", "its lease runs out");
  });
});
