// The worker's loop on the in-memory Kanboard with a scripted executor.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { Interception } from "@agap/kb-client/memory";
import { DONE, type ScriptedExecutor } from "../harness/scripted-executor.ts";
import { Shift } from "./shift.ts";

describe("a worker", () => {
  const shifts: Shift[] = [];
  afterEach(async () => {
    for (const shift of shifts.splice(0)) await shift.end();
  });
  const begin = async (): Promise<Shift> => {
    const shift = await Shift.begin();
    shifts.push(shift);
    return shift;
  };

  test("claims a card, tells the executor its text and people's comments, and finishes it", async () => {
    const shift = await begin();
    const card = await shift.card("Summarise: the report");
    shift.kanboard.person("owner", shift.queue.project).comment(card.id, "in English please");
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    const [job] = worker.executor.jobs;
    assert.deepEqual(job?.input, {
      taskId: card.id,
      queue: "local",
      epoch: 1,
      title: "Summarise: the report",
      description: "",
      comments: [{ by: "owner", text: "in English please" }],
      refs: [],
    });
    assert.equal(await shift.column(card), "wip");
    job.end(DONE);
    await shift.until("done", async () => (await shift.column(card)) === "done");
    assert.equal(await shift.history(card), "cd");
    assert.ok((await shift.fabric.see(card.id)).isActive, "left open for its verification");
  });

  test("a card that the text points at is read with its result, one of another queue is not", async () => {
    const shift = await begin();
    const first = await shift.card("Find a name");
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    worker.executor.jobs[0]?.end({ kind: "done", result: "Heron" });
    await shift.until("done", async () => (await shift.column(first)) === "done");
    const second = await shift.card(`Draw the one of #${first.id}, not of #99999`);
    await shift.until("begun again", () => worker.executor.jobs.length === 2);
    const refs = worker.executor.jobs[1]?.input.refs ?? [];
    assert.deepEqual(
      refs.map(({ ref, title }) => [ref, title]),
      [[`#${first.id}`, "Find a name"]],
    );
    assert.match(refs[0]?.text ?? "", /Heron/);
    worker.executor.jobs[1]?.end(DONE);
    await shift.until("done", async () => (await shift.column(second)) === "done");
  });

  test("an agent's comment is not told", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    worker.executor.script = () => ({ kind: "failed", reason: "first try" });
    await shift.until("failed", async () => (await shift.history(card)) === "cf");
    worker.executor.script = undefined;
    await shift.until("tried again", () => worker.executor.jobs.length === 2);
    assert.deepEqual(worker.executor.jobs[1]?.input.comments, []);
    assert.equal(worker.executor.jobs[1]?.input.epoch, 3);
  });

  test("never runs more tasks than it has slots, and polls at once when one ends", async () => {
    const shift = await begin();
    await shift.cards(5);
    const worker = await shift.work({ slots: 2 });
    const { jobs } = worker.executor;
    await shift.until("two begun", () => jobs.length === 2);
    await shift.pass(30_000);
    assert.equal(jobs.length, 2);
    jobs[0]?.end(DONE);
    await shift.clock.advance(0);
    const waited = await shift.until("a third begun", () => jobs.length === 3, 5000, 1);
    assert.ok(waited <= 5, `${waited} ms`);
  });

  test("an idle queue is polled ever less often, with one request each", async () => {
    const shift = await begin();
    const polls: number[] = [];
    shift.kanboard.intercept = ({ purpose }, phase) => {
      if (purpose === "poll" && phase === "before") polls.push(shift.clock.monotonic());
      return "ok";
    };
    await shift.work();
    await shift.pass(120_000);
    const gaps = polls.slice(1).map((at, i) => at - (polls[i] ?? 0));
    assert.ok((gaps[0] ?? 0) <= 1000, `${gaps[0]}`);
    assert.ok(polls.length >= 12 && polls.length <= 28, `${polls.length} polls in two minutes`);
    assert.ok(
      gaps.slice(5).every((gap) => gap >= 5000 && gap <= 10_000),
      gaps.join(),
    );
  });

  test("looks at the model before its first claim, and claims nothing while that finds a fault", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work({
      prepare: (executor) => {
        executor.obstacle = { code: "MODEL_UNKNOWN", reason: "no such model" };
      },
    });
    await shift.pass(60_000);
    assert.equal(await shift.history(card), "");
    assert.deepEqual(
      shift.events("queue.parked").map(({ code }) => code),
      ["MODEL_UNKNOWN", "MODEL_UNKNOWN", "MODEL_UNKNOWN"],
    );
    worker.executor.obstacle = null;
    worker.executor.script = () => DONE;
    await shift.until("done", async () => (await shift.history(card)) === "cd");
    assert.equal(shift.events("queue.resumed").length, 1);
  });

  test("losing the lease aborts the executor and writes nothing", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    const before = await shift.comments(card);
    await shift.pass(2000);
    shift.kanboard
      .person("owner", shift.queue.project)
      .drag(card.id, shift.queue.columns.backlog.id);
    const [job] = worker.executor.jobs;
    await shift.until("aborted", () => job?.signal.aborted === true, 60_000);
    job?.end(DONE);
    await shift.pass(5000);
    assert.equal(await shift.history(card), "cr");
    assert.equal(await shift.column(card), "backlog");
    const said = (await shift.comments(card)).filter((text) => text.startsWith("✅"));
    assert.deepEqual(said, [], before.join());
  });

  test("a board that hangs does not keep a worker at work beyond three quarters of its lease", async () => {
    const shift = await begin();
    await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    const began = shift.clock.monotonic();
    const release = new AbortController();
    shift.kanboard.intercept = async ({ auth }, phase) => {
      if (auth.kind === "app" || phase === "after" || release.signal.aborted) return "ok";
      await new Promise((resolve) => release.signal.addEventListener("abort", resolve));
      return "refuse";
    };
    const [job] = worker.executor.jobs;
    await shift.until("aborted", () => job?.signal.aborted === true, 60_000);
    const after = shift.clock.monotonic() - began;
    assert.ok(after >= 44_000 && after <= 46_000, `${after} ms of a lease of 60 s`);
    release.abort();
  });

  test("a board that takes a third of a lease to answer does not cost the lease", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    shift.kanboard.intercept = async ({ purpose }, phase): Promise<Interception> => {
      if (purpose === "heartbeat" && phase === "after") await shift.clock.sleep(20_000);
      return "ok";
    };
    await shift.pass(300_000);
    const [job] = worker.executor.jobs;
    assert.equal(job?.signal.aborted, false);
    job?.end(DONE);
    await shift.until("done", async () => (await shift.history(card)) === "cd");
  });

  test("an answer that comes while the board is away is delivered when it is back within the lease", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    shift.unreachable(true);
    worker.executor.jobs[0]?.end(DONE);
    await shift.pass(20_000);
    assert.equal(await shift.history(card), "c");
    shift.unreachable(false);
    await shift.until("done", async () => (await shift.history(card)) === "cd", 20_000);
    assert.equal(worker.executor.jobs.length, 1);
  });

  test("so is a failed attempt", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    shift.unreachable(true);
    worker.executor.jobs[0]?.end({ kind: "failed", reason: "no good" });
    await shift.pass(20_000);
    shift.unreachable(false);
    await shift.until("failed", async () => (await shift.history(card)) === "cf", 20_000);
  });

  test("an outage of the board is said once, and its end once", async () => {
    const shift = await begin();
    const worker = await shift.work();
    await shift.pass(5000);
    shift.unreachable(true);
    await shift.pass(120_000);
    assert.equal(shift.events("board.unreachable").length, 1);
    shift.unreachable(false);
    const card = await shift.card();
    worker.executor.script = () => DONE;
    await shift.until("done", async () => (await shift.history(card)) === "cd", 60_000);
    assert.equal(shift.events("board.back").length, 1);
  });

  test("a refused token ends the worker with its code", async () => {
    const shift = await begin();
    const worker = await shift.work();
    await shift.pass(5000);
    const account = shift.kanboard.board.users.find((user) => user.username === "worker-1");
    if (account) account.api_access_token = "another";
    await shift.until("ended", () => worker.hasEnded(), 60_000);
    assert.equal(((await worker.ended) as { code?: string }).code, "KB_UNAUTHORIZED");
  });

  test("a project out of reach ends the worker only if it still is when asked again", async () => {
    const shift = await begin();
    let verified = 0;
    const worker = await shift.work({
      verify: async () => {
        verified += 1;
        if (verified > 1) throw Object.assign(new Error("gone"), { code: "x" });
      },
    });
    await shift.pass(5000);
    shift.kanboard.board.roles.get(shift.queue.project)?.clear();
    await shift.until("ended", () => worker.hasEnded(), 120_000);
    assert.equal(verified, 2);
    assert.match(String(await worker.ended), /gone/);
  });

  test("an executor that throws is a failed attempt", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    worker.executor.jobs[0]?.break(new Error("out of paper"));
    await shift.until("failed", async () => (await shift.history(card)) === "cf");
    assert.match((await shift.comments(card)).join("\n"), /out of paper/);
  });

  test("a card that is deleted while it is worked on ends quietly", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    // The next card gets the id of the deleted one, and is told from it by its second.
    await shift.pass(2000);
    shift.kanboard.person("owner", shift.queue.project).delete(card.id);
    worker.executor.jobs[0]?.end(DONE);
    await shift.until("said", () => shift.events("task.gone").length === 1, 60_000);
    const next = await shift.card();
    worker.executor.script = () => DONE;
    await shift.until("the next is done", async () => (await shift.history(next)) === "cd", 60_000);
    assert.ok(!worker.hasEnded());
  });

  test("two workers of the same account share a queue without doing anything twice", async () => {
    const shift = await begin();
    const cards = await shift.cards(12);
    const prepare = (executor: ScriptedExecutor): void => {
      executor.script = () => DONE;
    };
    const one = await shift.work({ slots: 2, prepare });
    const two = await shift.work({ slots: 2, prepare });
    await shift.until("all done", async () => {
      const columns = await Promise.all(cards.map((card) => shift.column(card)));
      return columns.every((column) => column === "done");
    });
    for (const card of cards) assert.equal(await shift.history(card), "cd");
    assert.equal(one.executor.jobs.length + two.executor.jobs.length, 12);
  });

  test("a heartbeat that meets the worker's own result does not take it for a loss", async () => {
    const shift = await begin();
    const card = await shift.card();
    const worker = await shift.work();
    await shift.until("begun", () => worker.executor.jobs.length === 1);
    const beaten = new AbortController();
    shift.kanboard.intercept = async ({ purpose }, phase): Promise<Interception> => {
      if (purpose === "heartbeat" && phase === "after") beaten.abort();
      // The result is in the ledger; its card waits until a heartbeat has seen that.
      if (purpose === "projection" && phase === "before" && !beaten.signal.aborted) {
        await new Promise((resolve) => beaten.signal.addEventListener("abort", resolve));
      }
      return "ok";
    };
    worker.executor.jobs[0]?.end(DONE);
    await shift.until("done", async () => (await shift.column(card)) === "done", 60_000);
    assert.ok(beaten.signal.aborted);
    assert.deepEqual(shift.events("lease.lost"), []);
    assert.deepEqual(shift.events("projection.disturbed"), []);
  });
});
