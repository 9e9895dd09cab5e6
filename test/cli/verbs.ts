// The verbs of kb-claim over any board: one task from submit to done, and whose lease is whose.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { done, EXIT, leaseStatus, next, release, renew, submit, take } from "@agap/kb-claim";
import {
  closeTask,
  getAllComments,
  getAllTaskFiles,
  poll,
  removeTask,
  SkipList,
  sweep,
  SweepMemory,
  type TaskId,
  updateTask,
} from "@agap/kb-client";
import { FlakyTransport } from "../harness/flaky-transport.ts";
import { type CliSetup, facts, refusal } from "./desk.ts";

const read = { purpose: "read" } as const;

/** Every test starts from a board of its own with the agents a1 and worker. */
export function verbTests(setup: () => Promise<CliSetup>): void {
  test("a task goes from submit to done, and every verb costs the requests it says", async () => {
    const { desks, fabric, worker, queue } = await setup();
    let counting: FlakyTransport | undefined;
    const door = await desks.shell("a1", "s1", (inner) => {
      counting = new FlakyTransport(inner, () => "deliver");
      return counting;
    });
    assert.ok(counting);
    const sent = async (work: () => Promise<unknown>): Promise<number> => {
      const before = counting?.sent ?? 0;
      await work();
      return (counting?.sent ?? 0) - before;
    };
    const description = "Do it.\n\n- verbatim *Markdown* 👩‍🚀\n";
    let id = 0;
    const submitting = async (): Promise<void> => {
      const { task } = facts(await submit(door, { intent: "write it", description, priority: 1 }));
      id = (task as { id: number }).id;
    };
    assert.equal(await sent(submitting), 2);
    assert.equal(
      await sent(async () => {
        const looked = facts(await next(door, {}));
        assert.equal((looked["task"] as { ref: string }).ref, `local#${id}`);
      }),
      1,
    );
    assert.equal(
      await sent(async () => {
        const answer = await take(door, {});
        assert.ok(answer.ok);
        assert.ok(
          answer.lines.join("\n").includes(`--- spec ---\n${description}\n--- end of spec`),
        );
        assert.match(answer.lines.at(-1) ?? "", new RegExp(`^kb-claim done ${id} `));
      }),
      3,
    );
    desks.clock.advance(10_000);
    assert.equal(await sent(async () => facts(await renew(door, {}))), 2);
    const { leases } = facts(await leaseStatus(door, {}));
    assert.deepEqual(
      (leases as { state: string }[]).map((lease) => lease.state),
      ["held"],
    );
    assert.equal(await sent(async () => facts(await done(door, { result: "It is written." }))), 3);
    const card = await fabric.see(id as TaskId);
    assert.equal(card.columnId, queue.columns.done.id);
    assert.equal(card.isActive, true);
    assert.equal(await fabric.history(worker, card), "cd");
    const files = await fabric.app.call(getAllTaskFiles(card.id), read);
    assert.equal(files.length, 1);
    assert.deepEqual(readdirSync(join(desks.home, "leases", "a1")), []);
  });

  test("an empty queue is exit 10 for next and for take", async () => {
    const { desks } = await setup();
    const door = await desks.shell("a1", "s1");
    assert.equal((await next(door, {})).exit, EXIT.nothingEligible);
    assert.equal((await take(door, {})).exit, EXIT.nothingEligible);
    assert.deepEqual(await door.leases.mine(), []);
  });

  test("next shows what take takes: by priority, then by place, never a blocked or assigned card", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const door = await desks.shell("a1", "s1");
    await fabric.card(queue, { title: "third", priority: 0 });
    await fabric.card(queue, { title: "first", priority: 1 });
    await fabric.card(queue, { title: "second", priority: 2 });
    const blocked = await fabric.card(queue, { title: "blocked", priority: 1 });
    await fabric.app.call(updateTask(blocked.id, { tags: ["blocked"] }), { purpose: "setup" });
    const own = await fabric.card(queue, { title: "assigned", priority: 1 });
    await fabric.app.call(updateTask(own.id, { ownerId: worker.me.userId }), { purpose: "setup" });
    const titles: string[] = [];
    for (const looked of [
      await next(door, {}),
      await take(door, {}),
      await take(door, {}),
      await take(door, {}),
    ]) {
      titles.push((facts(looked)["task"] as { title: string }).title);
    }
    assert.deepEqual(titles, ["first", "first", "second", "third"]);
    assert.equal((await take(door, {})).exit, EXIT.nothingEligible);
    assert.equal(refusal(await done(door, { result: "which?" })), "64 CLI_TASK_NEEDED");
  });

  test("a task that another session of the same agent holds is refused, and nothing is sent", async () => {
    const { desks, fabric, queue } = await setup();
    const { id } = await fabric.card(queue);
    facts(await take(await desks.shell("a1", "s1"), {}));
    let counting: FlakyTransport | undefined;
    const other = await desks.shell("a1", "s2", (inner) => {
      counting = new FlakyTransport(inner, () => "deliver");
      return counting;
    });
    const task = `${id}`;
    for (const answer of [
      await done(other, { task, result: "mine?" }),
      await release(other, { task }),
      await renew(other, { task }),
      await leaseStatus(other, { task }),
      await done(other, { result: "mine?" }),
      await renew(other, {}),
    ]) {
      assert.equal(refusal(answer), "11 LEASE_NOT_HELD");
      assert.ok(!answer.ok && /s1/.test(answer.hint ?? ""), "says which session holds it");
    }
    assert.equal(counting?.sent, 0);
  });

  test("an expired claim ends with exit 12 every time, and no trace of the work is written", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const { id } = await fabric.card(queue);
    const door = await desks.shell("a1", "s1");
    facts(await take(door, {}));
    const memory = new SweepMemory();
    await sweep(worker, queue, memory, { settleMs: 0 });
    desks.clock.advance(61_000);
    await sweep(worker, queue, memory, { settleMs: 0 });
    const before = await fabric.app.call(getAllComments(id), read);
    for (const answer of [
      await done(door, { result: "too late" }),
      await renew(door, {}),
      await release(door, { task: `${id}` }),
      await leaseStatus(door, { task: `${id}` }),
    ]) {
      assert.equal(refusal(answer), "12 LEASE_LOST");
      assert.ok(!answer.ok && answer.message.includes("expired"));
    }
    const card = await fabric.see(id);
    assert.equal(await fabric.history(worker, card), "cx");
    assert.equal((await fabric.app.call(getAllTaskFiles(id), read)).length, 0);
    assert.deepEqual(await fabric.app.call(getAllComments(id), read), before);
    const again = facts(await take(door, {}));
    assert.equal((again["lease"] as { epoch: number }).epoch, 3, "and may be taken again");
    assert.equal((await door.leases.mine()).length, 1);
  });

  test("a lease that was not renewed in time is no longer renewed, but its result still counts", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const { id } = await fabric.card(queue);
    const door = await desks.shell("a1", "s1");
    facts(await take(door, {}));
    desks.clock.advance(46_000);
    assert.equal(refusal(await renew(door, {})), "12 LEASE_OVERDUE");
    assert.equal(
      (facts(await leaseStatus(door, {}))["leases"] as { state: string }[])[0]?.state,
      "overdue",
    );
    facts(await done(door, { result: "just in time" }));
    assert.equal(await fabric.history(worker, await fabric.see(id)), "cd");
  });

  test("renewals carry a claim over many leases, also after a clock that was set back", async () => {
    const { desks, fabric, worker, queue } = await setup();
    await fabric.card(queue);
    const door = await desks.shell("a1", "s1");
    facts(await take(door, {}));
    const memory = new SweepMemory();
    for (let i = 0; i < 8; i += 1) {
      await sweep(worker, queue, memory, { settleMs: 0 });
      desks.clock.advance(30_000);
      desks.clock.step(-20_000);
      facts(await renew(door, {}));
    }
    facts(await done(door, { result: "long work" }));
  });

  test("release hands the task back at once and uses up no attempt", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const { id } = await fabric.card(queue);
    const door = await desks.shell("a1", "s1");
    facts(await take(door, {}));
    facts(await release(door, { reason: "not for me" }));
    const card = await fabric.see(id);
    assert.equal(card.columnId, queue.columns.ready.id);
    assert.equal(card.ownerId, null);
    assert.equal(await fabric.history(worker, card), "cr");
    const comments = await fabric.app.call(getAllComments(id), read);
    assert.ok(comments.some((comment) => comment.text.includes("not for me")));
    assert.equal(refusal(await release(door, {})), "11 LEASE_NOT_HELD");
    facts(await take(door, {}));
  });

  test("a card that a person closed or deleted is lost, and the ledger shows nothing of the work", async () => {
    const { desks, fabric, worker, queue } = await setup();
    const closed = await fabric.card(queue);
    const door = await desks.shell("a1", "s1");
    facts(await take(door, {}));
    await fabric.app.call(closeTask(closed.id), { purpose: "setup" });
    const answer = await done(door, { result: "never mind" });
    assert.equal(refusal(answer), "12 LEASE_LOST");
    assert.ok(!answer.ok && answer.message.includes("closed"));
    assert.equal(await fabric.history(worker, closed), "c");
    const deleted = await fabric.card(queue);
    facts(await take(door, {}));
    await fabric.app.call(removeTask(deleted.id), { purpose: "setup" });
    assert.equal(refusal(await done(door, { result: "gone" })), "12 LEASE_LOST");
    assert.equal(refusal(await renew(door, { task: `${deleted.id}` })), "12 LEASE_LOST");
  });

  test("of two that take the last task at once one gets it, the other gets exit 10", async () => {
    const { desks, fabric, worker, queue } = await setup();
    // Cards that earlier tests left in Ready would make two winners of two cards.
    for (const left of await poll(worker, queue, new SkipList(worker, 1))) {
      await fabric.app.call(closeTask(left.id), { purpose: "setup" });
    }
    // A test before removed a card: on SQLite the next one gets its id, and may be born in the same second.
    await fabric.card(queue, { role: "backlog" });
    const { id } = await fabric.card(queue);
    const doors = [await desks.shell("a1", "s1"), await desks.shell("a2", "s1")];
    const answers = await Promise.all(doors.map((door) => take(door, {})));
    assert.deepEqual(
      answers.map((answer) => answer.exit).toSorted((a, b) => a - b),
      [0, 10],
    );
    assert.equal(await fabric.history(worker, await fabric.see(id)), "c");
    const files = await Promise.all(doors.map(async (door) => (await door.leases.mine()).length));
    assert.equal(files[0] === 1 ? files[1] : files[0], 0, "the loser keeps no file");
  });

  test("two loops on one queue share its tasks, none twice", async () => {
    const { desks, fabric, worker, queue, many } = await setup();
    const cards = [];
    for (let i = 0; i < many; i += 1) cards.push(await fabric.card(queue, { title: `task ${i}` }));
    const loop = async (account: string): Promise<number> => {
      const door = await desks.shell(account, "loop");
      let finished = 0;
      for (let idle = 0; idle < 3;) {
        const taken = await take(door, {});
        if (taken.exit === EXIT.nothingEligible) {
          idle += 1;
          continue;
        }
        const { id } = facts(taken)["task"] as { id: number };
        facts(await done(door, { task: `${id}`, result: `by ${account}` }));
        finished += 1;
      }
      return finished;
    };
    const finished = await Promise.all([loop("a1"), loop("a2")]);
    assert.equal((finished[0] ?? 0) + (finished[1] ?? 0), many);
    for (const card of cards) assert.equal(await fabric.history(worker, card), "cd");
  });
}
