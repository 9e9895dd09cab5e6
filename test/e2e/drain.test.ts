// Many tasks, several worker processes, the real model: each task is done exactly once, judged from outside.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, describe, test } from "node:test";
import { RecordingProxy } from "../harness/recording-proxy.ts";
import { OutsideView, until } from "./outside-view.ts";
import { readStack, secret, whyNoStack } from "./stack.ts";
import { type Crew, hireCrew, type WorkerProcess } from "./worker-process.ts";

const skip = whyNoStack();
const executor = { kind: "llm", model: "local-small", maxTokens: 16 };
const poll = { busy: "200ms", idle: "1s" };

interface Asked {
  id: number;
  nonce: string;
}

describe("draining a queue", { skip }, () => {
  const stack = skip === false ? readStack() : null;
  const undo: (() => Promise<void>)[] = [];
  after(async () => {
    for (const step of undo.toReversed()) await step();
  });

  async function open(
    queue: string,
    config: object,
  ): Promise<{ view: OutsideView; proxy: RecordingProxy; crew: Crew }> {
    assert.ok(stack);
    const view = new OutsideView(stack.boardUrl, secret(stack, "KANBOARD_APP_TOKEN"));
    const proxy = await RecordingProxy.start(secret(stack, "LITELLM_URL"));
    undo.push(() => proxy.stop());
    const agents = [`${queue}-a`, `${queue}-b`];
    const crew = await hireCrew(stack, { queue, agents, config, litellm: proxy.url });
    undo.push(() => crew.stop());
    return { view, proxy, crew };
  }

  async function fill(view: OutsideView, crew: Crew, tasks: number): Promise<Asked[]> {
    const asked: Asked[] = [];
    for (let i = 0; i < tasks; i += 1) {
      const nonce = randomBytes(6).toString("hex");
      const title = `Say hello to number ${nonce}.`;
      asked.push({ id: await view.add(crew.project, crew.columns["ready"] ?? 0, title), nonce });
    }
    return asked;
  }

  async function allDone(
    view: OutsideView,
    crew: Crew,
    asked: Asked[],
    seconds: number,
  ): Promise<void> {
    await until(`${asked.length} tasks done`, seconds, async () => {
      const places = await view.places(crew.project);
      return asked.every(({ id }) => places.get(id)?.column === "Done");
    });
  }

  async function judge(view: OutsideView, proxy: RecordingProxy, asked: Asked[]): Promise<void> {
    assert.ok(stack);
    const { firstProject, shards } = stack.ledger;
    for (const { id, nonce } of asked) {
      const card = await view.card(id);
      assert.equal(card.column, "Done", `#${id}`);
      assert.ok(card.open, `#${id} is left for its verification`);
      assert.equal(card.comments.filter((text) => text.startsWith("✅")).length, 1, `#${id}`);
      const kinds = await view.ledger(firstProject, shards, id);
      assert.match(kinds, /^(c[xr])*cd$/, `#${id}`);
      const epoch = kinds.length - 1;
      assert.equal(card.results.length, 1, `#${id}: ${card.results.join()}`);
      assert.match(card.results[0] ?? "", new RegExp(`^result-e${epoch}-`), `#${id}`);
      assert.ok(
        proxy.asking(nonce).some((call) => call.complete),
        `#${id} reached the model`,
      );
    }
  }

  test("fifty tasks and four workers, two of them with the same name: each is done once and asked once", async () => {
    const { view, proxy, crew } = await open("drain", { executor, poll, lease: "60s" });
    const asked = await fill(view, crew, 50);
    for (const agent of ["drain-a", "drain-a", "drain-b", "drain-b"]) crew.start(agent);
    await allDone(view, crew, asked, 900);
    await judge(view, proxy, asked);
    for (const { id, nonce } of asked) {
      assert.equal(proxy.asking(nonce).length, 1, `#${id} was asked once`);
      assert.ok(stack);
      assert.equal(await view.ledger(stack.ledger.firstProject, stack.ledger.shards, id), "cd");
    }
  });

  test("with a worker that holds a lease killed again and again, every task is done, none lost, none finished twice", async () => {
    const config = { executor, poll, lease: "4s", maxAttempts: 20 };
    const { view, proxy, crew } = await open("killed", config);
    const asked = await fill(view, crew, 24);
    const agents = ["killed-a", "killed-a", "killed-b", "killed-b"];
    let workers: WorkerProcess[] = agents.map((agent) => crew.start(agent));
    let kills = 0;
    await until("eight workers killed in the middle of a task", 900, async () => {
      // A line without its end: this worker has claimed and not finished.
      const busy = workers.find((worker) => holdsLease(worker.log()));
      if (busy) {
        busy.child.kill("SIGKILL");
        await busy.exited;
        kills += 1;
        workers = [...workers.filter((worker) => worker !== busy), crew.start(busy.agent)];
      }
      return kills >= 8;
    });
    await allDone(view, crew, asked, 900);
    await judge(view, proxy, asked);
  });
});

function holdsLease(log: string): boolean {
  const count = (event: string): number => log.split(`"event":"${event}"`).length - 1;
  const ended = [
    "task.done",
    "task.failed",
    "task.parked",
    "task.released",
    "lease.lost",
    "task.dead_letter",
  ];
  return count("task.claimed") > ended.reduce((sum, event) => sum + count(event), 0);
}
