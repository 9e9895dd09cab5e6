// An executor in a thread can go wrong in every way without touching the process that holds the lease.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Epoch, systemClock, type TaskId } from "@agap/kb-client";
import type { ExecutorOutcome, TaskInput } from "../executor.ts";
import { inThread } from "./in-thread.ts";
import type { Misbehaviour } from "./misbehaving-thread.ts";

const input: TaskInput = {
  taskId: 1 as TaskId,
  queue: "local",
  epoch: 1 as Epoch,
  title: "a task",
  description: "",
  comments: [],
  refs: [],
};

function run(behaviour: Misbehaviour, signal = new AbortController().signal) {
  const script = new URL("./misbehaving-thread.ts", import.meta.url);
  return inThread(script, behaviour, { clock: systemClock }).run(input, signal);
}

async function reasonOf(outcome: Promise<ExecutorOutcome>): Promise<string> {
  const { kind, ...rest } = await outcome;
  assert.equal(kind, "failed");
  return (rest as { reason: string }).reason;
}

test("its outcome comes back", async () => {
  assert.deepEqual(await run("none"), { kind: "done", result: "a task" });
});

test("a thread is used again after a task, and not after an abort or a crash", async () => {
  const script = new URL("./misbehaving-thread.ts", import.meta.url);
  const executor = inThread(script, "count", { clock: systemClock });
  const next = async (title = "count", signal = new AbortController().signal) => {
    const outcome = await executor.run({ ...input, title }, signal);
    return outcome.kind === "done" ? outcome.result : outcome.kind;
  };
  assert.deepEqual([await next(), await next()], ["1", "2"]);
  assert.equal(await next("throw"), "failed");
  assert.equal(await next(), "4", "an error is no crash");
  assert.equal(await next("exit"), "failed");
  assert.equal(await next(), "1");
  await assert.rejects(next("wait", AbortSignal.timeout(100)));
  assert.equal(await next(), "1");
});

test("an error, an exit and exhausted memory are failed attempts", async () => {
  assert.match(await reasonOf(run("throw")), /out of paper/);
  assert.match(await reasonOf(run("exit")), /without an answer/);
  assert.match(await reasonOf(run("grow")), /memory/i);
});

test("a thread that spins leaves the main thread free, and ends within the grace once aborted", async () => {
  const stop = new AbortController();
  const outcome = run("spin", stop.signal);
  let turns = 0;
  for (const end = performance.now() + 500; performance.now() < end; turns += 1) {
    await systemClock.sleep(10);
  }
  assert.ok(turns >= 10, `${turns} turns of 10 ms in half a second`);
  const aborted = performance.now();
  stop.abort(new Error("the lease is lost"));
  await assert.rejects(outcome, /the lease is lost/);
  assert.ok(performance.now() - aborted < 4000);
});

test("an executor that listens ends at once when it is aborted, a deaf one within the grace", async () => {
  for (const [behaviour, limit] of [
    ["wait", 1500],
    ["deaf", 4000],
  ] as const) {
    const stop = new AbortController();
    const outcome = run(behaviour, stop.signal);
    await systemClock.sleep(500);
    const aborted = performance.now();
    stop.abort(new Error("the lease is lost"));
    await assert.rejects(outcome, /the lease is lost/);
    assert.ok(performance.now() - aborted < limit, behaviour);
  }
});

test("a thread that can't even start is not the task's fault", async () => {
  const script = new URL("./no-such-module.ts", import.meta.url);
  const executor = inThread(script, null, { clock: systemClock });
  const outcome = await executor.run(input, new AbortController().signal);
  assert.equal(outcome.kind === "unavailable" && outcome.code, "WORKER_BROKEN");
});

test("nothing is started under a signal that has aborted", async () => {
  await assert.rejects(run("none", AbortSignal.abort(new Error("too late"))), /too late/);
});
