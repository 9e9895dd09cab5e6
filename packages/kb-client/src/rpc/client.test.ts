import assert from "node:assert/strict";
import { test } from "node:test";
import { FabricError, isFabricError, type Retryable } from "../errors.ts";
import type { ProjectId, TaskId } from "../ids.ts";
import { seededRandom, VirtualClock } from "../memory/virtual-clock.ts";
import { KanboardClient } from "./client.ts";
import { getVersion } from "./procedures/app.ts";
import { createTag } from "./procedures/tags.ts";
import { closeTask, getTask } from "./procedures/tasks.ts";
import type { RpcReply, Transport } from "./transport.ts";

const AS = { purpose: "read" } as const;
const task = 1 as TaskId;

type Answer = RpcReply[] | FabricError;

/** A transport that answers from a list; the last answer stays. */
function setup(...answers: Answer[]) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  let sent = 0;
  let serverTime: number | undefined;
  const transport: Transport = {
    async send() {
      const answer = answers[Math.min(sent, answers.length - 1)];
      sent += 1;
      if (answer instanceof FabricError || answer === undefined) throw answer;
      return { replies: answer, serverTime };
    },
  };
  const client = new KanboardClient(transport, { clock, random: seededRandom(1) });
  return {
    client,
    clock,
    sent: () => sent,
    answerAt: (time: number) => (serverTime = time),
    /** Lets all waits pass. */
    async settle<R>(promise: Promise<R>): Promise<R | FabricError> {
      const outcome = promise.catch((error: unknown) => {
        if (isFabricError(error)) return error;
        throw error;
      });
      await clock.advance(60_000);
      return outcome;
    },
  };
}

const failure = (retryable: Retryable): FabricError =>
  new FabricError("no answer", { code: "KB_TEST", retryable });
const ok = (result: unknown): RpcReply => ({ ok: true, result });
const locked: RpcReply = {
  ok: false,
  error: { code: 0, message: "General error: 5 database is locked" },
};

test("a read is repeated while the failure may pass", async () => {
  const { client, settle, sent } = setup(failure("yes"), failure("ambiguous"), [ok("1.2.51")]);
  assert.equal(await settle(client.call(getVersion(), AS)), "1.2.51");
  assert.equal(sent(), 3);
});

test("a read is given up after four tries", async () => {
  const { client, settle, sent } = setup(failure("ambiguous"));
  const error = await settle(client.call(getVersion(), AS));
  assert.ok(isFabricError(error, "KB_TEST"));
  assert.equal(sent(), 4);
});

test("what another try can't change is not repeated", async () => {
  const { client, settle, sent } = setup(failure("no"));
  assert.ok(isFabricError(await settle(client.call(getVersion(), AS)), "KB_TEST"));
  assert.equal(sent(), 1);
});

test("a write is repeated only when certainly nothing was sent", async () => {
  const refused = setup(failure("yes"), [ok(true)]);
  assert.equal(await refused.settle(refused.client.call(closeTask(task), AS)), true);
  assert.equal(refused.sent(), 2);
  const lost = setup(failure("ambiguous"));
  const error = await lost.settle(lost.client.call(closeTask(task), AS));
  assert.ok(isFabricError(error) && error.retryable === "ambiguous");
  assert.equal(lost.sent(), 1);
});

test("one write makes the whole batch a write", async () => {
  const { client, settle, sent } = setup(failure("ambiguous"));
  await settle(client.batch([getTask(task), closeTask(task)], AS));
  assert.equal(sent(), 1);
});

test("a locked database in a read-only batch is tried again, in a write it is an answer", async () => {
  const reading = setup([ok("1"), locked], [ok("1"), ok("2")]);
  const both = await reading.settle(reading.client.batch([getVersion(), getVersion()], AS));
  assert.deepEqual(both, [
    { ok: true, value: "1" },
    { ok: true, value: "2" },
  ]);
  const writing = setup([locked]);
  const error = await writing.settle(writing.client.call(closeTask(task), AS));
  assert.ok(isFabricError(error, "KB_LOCKED") && error.retryable === "ambiguous");
  assert.equal(writing.sent(), 1);
});

test("a read-only batch that stays locked answers element by element in the end", async () => {
  const { client, settle, sent } = setup([ok("1"), locked]);
  const outcomes = await settle(client.batch([getVersion(), getVersion()], AS));
  assert.ok(Array.isArray(outcomes) && outcomes[0].ok && !outcomes[1].ok);
  assert.equal(sent(), 4);
});

test("an abort ends the waiting between two tries with its reason", async () => {
  const { client, clock, sent } = setup(failure("yes"));
  const controller = new AbortController();
  const call = client.call(getVersion(), { ...AS, signal: controller.signal });
  const ended = assert.rejects(call, { message: "enough" });
  await clock.advance(0);
  assert.equal(clock.sleeping, 1);
  controller.abort(new Error("enough"));
  await ended;
  assert.equal(sent(), 1);
});

test("an answer of another shape is an error that names the method", async () => {
  const { client, settle } = setup([ok("not a task")]);
  const error = await settle(client.call(getTask(task), AS));
  assert.ok(isFabricError(error, "KB_UNEXPECTED_REPLY"));
  assert.match(error.message, /^getTask/);
});

test("a refused put-if-absent is a value, not an error", async () => {
  const { client } = setup([ok(false)]);
  assert.equal(await client.call(createTag(1 as ProjectId, "x", null), AS), null);
});

test("an empty batch sends nothing", async () => {
  const { client, sent } = setup();
  assert.deepEqual(await client.batch([], AS), []);
  assert.equal(sent(), 0);
});

test("the server's clock goes on from its last answer, by the larger of both clocks", async () => {
  const { client, clock, answerAt } = setup([ok("1")]);
  assert.equal(client.serverNow(), clock.now(), "the own clock before the first answer");
  const server = Date.UTC(2030, 0, 1);
  answerAt(server);
  await client.call(getVersion(), AS);
  await clock.advance(1500);
  assert.equal(client.serverNow(), server + 1500);
  clock.stepWall(10_000);
  assert.equal(
    client.serverNow(),
    server + 11_500,
    "a suspend that the monotonic clock slept through",
  );
  clock.stepWall(-60_000);
  assert.equal(client.serverNow(), server + 1500, "the machine's clock set back");
});
