import assert from "node:assert/strict";
import { test } from "node:test";
import { FabricError } from "../errors.ts";
import type { ProjectId } from "../ids.ts";
import { MemoryKanboard, seededRandom, VirtualClock } from "../memory/index.ts";
import { BoardInfo } from "./board-info.ts";
import { KanboardClient } from "./client.ts";
import { addColumn, getColumns } from "./procedures/layout.ts";
import { createProject } from "./procedures/projects.ts";

const AS = { purpose: "read" } as const;

async function setup() {
  const clock = new VirtualClock();
  const kanboard = new MemoryKanboard({ clock });
  const client = new KanboardClient(kanboard.transport(), { clock, random: seededRandom(1) });
  const project = (await client.call(createProject({ name: "p" }), AS)) as ProjectId;
  return { kanboard, client, project, info: new BoardInfo(client) };
}

test("a project is looked up once, also by callers that ask at the same time", async () => {
  const { kanboard, project, info } = await setup();
  const before = kanboard.requestCount;
  const [first, second] = await Promise.all([info.columns(project), info.columns(project)]);
  await info.columns(project);
  assert.equal(kanboard.requestCount, before + 1);
  assert.deepEqual([first, second.length], [second, 4]);
});

test("after invalidation it is looked up anew", async () => {
  const { client, project, info } = await setup();
  await info.columns(project);
  await client.call(addColumn(project, "Dead letter"), AS);
  assert.equal((await info.columns(project)).length, 4);
  info.invalidate(project);
  assert.deepEqual(await info.columns(project), await client.call(getColumns(project), AS));
});

test("a failed look-up is not remembered", async () => {
  const { kanboard, project, info } = await setup();
  kanboard.intercept = () => new FabricError("no", { code: "KB_TEST", retryable: "no" });
  await assert.rejects(info.swimlanes(project), { code: "KB_TEST" });
  kanboard.intercept = undefined;
  assert.equal((await info.swimlanes(project))[0]?.name, "Default swimlane");
  assert.deepEqual(await info.users(project), []);
});
