// The tricks that the real Kanboard does not do on demand; its ordinary behaviour is in test/conformance.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FabricError } from "../errors.ts";
import type { ProjectId, TaskId } from "../ids.ts";
import { KanboardClient } from "../rpc/client.ts";
import { getColumns } from "../rpc/procedures/layout.ts";
import { createProject, getProjectActivity } from "../rpc/procedures/projects.ts";
import { createTag, getTagsByProject } from "../rpc/procedures/tags.ts";
import { createTask, getTask, removeTask, updateTask } from "../rpc/procedures/tasks.ts";
import type { Column } from "../rpc/types.ts";
import { MemoryKanboard, type MemoryKanboardOptions } from "./memory-kanboard.ts";
import { seededRandom, VirtualClock } from "./virtual-clock.ts";

const AS = { purpose: "read" } as const;

async function setup(options: Partial<MemoryKanboardOptions> = {}) {
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10, 0, 0, 700));
  const kanboard = new MemoryKanboard({ clock, ...options });
  const client = new KanboardClient(kanboard.transport(), { clock, random: seededRandom(1) });
  const project = (await client.call(createProject({ name: "p" }), AS)) as ProjectId;
  const columns = (await client.call(getColumns(project), AS)) as [Column, Column, Column, Column];
  const add = async (): Promise<TaskId> =>
    (await client.call(createTask({ title: "t", projectId: project }), AS)) as TaskId;
  const titles = async (id: TaskId): Promise<string | undefined> =>
    (await client.call(getTask(id), AS))?.title;
  return { clock, kanboard, client, project, columns, add, titles };
}

test("a lost answer is a write that nobody hears of", async () => {
  const { kanboard, client, add, titles } = await setup();
  const id = await add();
  kanboard.intercept = (_, phase) => (phase === "after" ? "drop-answer" : "ok");
  const lost = client.call(updateTask(id, { title: "written" }), AS);
  await assert.rejects(lost, { code: "KB_CONNECTION_LOST", retryable: "ambiguous" });
  kanboard.intercept = undefined;
  assert.equal(await titles(id), "written");
});

test("a refused connection writes nothing", async () => {
  const { kanboard, client, clock, add, titles } = await setup();
  const id = await add();
  kanboard.intercept = () => "refuse";
  const refused = assert.rejects(client.call(updateTask(id, { title: "x" }), AS), {
    code: "KB_UNREACHABLE",
  });
  await clock.advance(10_000);
  await refused;
  kanboard.intercept = undefined;
  assert.equal(await titles(id), "t");
});

test("a doubled put-if-absent answers no although it was the first", async () => {
  const { kanboard, client, project } = await setup();
  kanboard.intercept = (_, phase) => (phase === "before" ? "twice" : "ok");
  assert.equal(await client.call(createTag(project, "x", "me"), AS), null);
  const [tag] = await client.call(getTagsByProject(project), AS);
  assert.equal(tag?.color, "me");
});

test("a locked element is written all the same", async () => {
  const { kanboard, client, add, titles } = await setup();
  const id = await add();
  kanboard.intercept = (_, phase) => (phase === "before" ? { locked: [0] } : "ok");
  const locked = client.call(updateTask(id, { title: "written" }), AS);
  await assert.rejects(locked, { code: "KB_LOCKED", retryable: "ambiguous" });
  kanboard.intercept = undefined;
  assert.equal(await titles(id), "written");
});

test("an error of the test's own is thrown as it is", async () => {
  const { kanboard, client, add } = await setup();
  const id = await add();
  kanboard.intercept = ({ purpose }) =>
    purpose === "claim" ? new FabricError("mine", { code: "KB_TEST", retryable: "no" }) : "ok";
  await assert.rejects(client.call(getTask(id), { purpose: "claim" }), { code: "KB_TEST" });
  assert.ok(await client.call(getTask(id), AS));
});

test("others may come in between the elements of a batch", async () => {
  const { kanboard, client, project, add } = await setup();
  const id = await add();
  const person = kanboard.person("mia", project);
  kanboard.betweenElements = async () => person.edit(id, { title: "mia's" });
  const [first, second] = await client.batch([getTask(id), getTask(id)], AS);
  assert.equal(first.ok && first.value?.title, "t");
  assert.equal(second.ok && second.value?.title, "mia's");
});

test("people leave traces: the time of a drag, and their name in the activity", async () => {
  const { kanboard, client, clock, project, columns, add } = await setup();
  const id = await add();
  const mia = kanboard.person("mia", project);
  await clock.advance(5000);
  mia.drag(id, columns[2].id);
  mia.tag(id, ["blocked"]);
  mia.comment(id, "why");
  mia.close(id);
  const task = await client.call(getTask(id), AS);
  assert.equal(task?.dateMoved, (task?.dateCreation ?? 0) + 5);
  assert.deepEqual([task?.columnId, task?.isActive], [columns[2].id, false]);
  const activity = await client.call(getProjectActivity(project), AS);
  assert.deepEqual(
    activity.map((entry) => [entry.event, entry.authorId]),
    [
      ["task.close", mia.id],
      ["comment.create", mia.id],
      ["task.move.column", mia.id],
    ],
  );
  mia.delete(id);
  assert.throws(() => mia.delete(id), "a person can't act on what is gone");
});

test("ids come again as on SQLite, or never as elsewhere", async () => {
  for (const [ids, again] of [
    ["reused", 2],
    ["fresh", 3],
  ] as const) {
    const { client, add } = await setup({ ids });
    await add();
    const newest = await add();
    await client.call(removeTask(newest), AS);
    assert.equal(await add(), again);
  }
});

test("names of tags differ by more than case, as the strictest database has it", async () => {
  const { client, project } = await setup();
  assert.ok(await client.call(createTag(project, "Blocked", null), AS));
  for (const name of ["blocked", "BLOCKED "]) {
    assert.equal(await client.call(createTag(project, name, null), AS), null);
  }
});

test("the server's clock is in every answer, cut to the second", async () => {
  const { clock, kanboard } = await setup();
  const { serverTime } = await kanboard
    .transport()
    .send([{ method: "getVersion", params: {} }], AS);
  assert.equal(serverTime, clock.now() - 700);
});
