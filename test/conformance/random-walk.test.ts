// Random sequences of calls give the same answers on both boards: finds what no named test thought of.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  closeTask,
  createComment,
  createTag,
  createTask,
  createTaskFile,
  getAllComments,
  getAllTaskFiles,
  getAllTasks,
  getProjectActivity,
  getTagsByProject,
  getTask,
  getTaskMetadata,
  getTaskTags,
  isFabricError,
  type KanboardClient,
  moveTaskPosition,
  moveTaskToProject,
  openTask,
  type Procedure,
  type Random,
  removeComment,
  removeTag,
  removeTask,
  removeTaskMetadata,
  saveTaskMetadata,
  searchTasks,
  setTaskTags,
  updateComment,
  updateTag,
  updateTask,
} from "@agap/kb-client";
import { seededRandom } from "@agap/kb-client/memory";
import { AS, type Fixture, makeProject, some, SUBJECTS, type TestProject } from "./fixture.ts";

const SEEDS = [1, 2, 3];
const STEPS = 60;

interface World {
  projects: TestProject[];
  agent: number;
}

/** Ids are small numbers that often name something and sometimes nothing. */
function someId(random: Random): never {
  return (1 + Math.floor(random.next() * 12)) as never;
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random.next() * choices.length)] as T;
}

function randomCall(random: Random, { projects, agent }: World): Procedure<unknown> {
  const project = pick(random, projects);
  const taskId = someId(random);
  const columnId = pick(random, project.columns).id;
  const ownerId = pick(random, [undefined, null, agent as never]);
  const name = pick(random, ["a", "b", "needs-x", "blocked"]);
  const text = pick(random, ["hello", "wörld 🚀", "line\nline"]);
  return pick<() => Procedure<unknown>>(random, [
    () =>
      createTask({ title: text, projectId: project.id, columnId, ownerId: ownerId ?? undefined }),
    () =>
      createTask({ title: text, projectId: project.id, tags: [name], score: 2, reference: name }),
    () => updateTask(taskId, { title: text, ownerId, priority: pick(random, [0, 3, 7]) }),
    () => updateTask(taskId, { tags: [name] }),
    () => closeTask(taskId),
    () => openTask(taskId),
    () => removeTask(taskId),
    () => moveTaskToProject({ taskId, projectId: project.id, columnId, ownerId }),
    () =>
      moveTaskPosition({
        projectId: project.id,
        taskId,
        columnId,
        position: 1 + Math.floor(random.next() * 3),
        swimlaneId: 0,
      }),
    () => createComment({ taskId, userId: agent as never, content: text }),
    () => updateComment({ id: someId(random), content: text }),
    () => removeComment(someId(random)),
    () => createTag(project.id, name, text),
    () => updateTag(someId(random), name, text),
    () => removeTag(someId(random)),
    () => setTaskTags(project.id, taskId, [name, "c"]),
    () => saveTaskMetadata(taskId, { [name]: text }),
    () => removeTaskMetadata(taskId, name),
    () => createTaskFile({ projectId: project.id, taskId, filename: name, content: text }),
    () => getTask(taskId),
    () =>
      searchTasks(
        project.id,
        pick(random, ["status:open", `tag:${name}`, "assignee:nobody", "wör"]),
      ),
  ])();
}

/** Everything there is, after the walk. */
async function everything(app: KanboardClient, projects: TestProject[]): Promise<unknown[]> {
  const ids = Array.from({ length: 14 }, (_, i) => (i + 1) as never);
  const reads: Procedure<unknown>[] = [
    ...projects.flatMap(({ id }) => [
      getAllTasks(id, true),
      getAllTasks(id, false),
      getTagsByProject(id),
      getProjectActivity(id),
    ]),
    ...ids.flatMap((id) => [
      getTaskTags(id),
      getTaskMetadata(id),
      getAllComments(id),
      getAllTaskFiles(id),
    ]),
  ];
  return (await app.batch(reads, AS)).map((reply) => reply.ok && withoutTimes(reply.value));
}

/** Seconds of a real clock differ; whether there is a time at all must not. */
function withoutTimes(value: unknown): unknown {
  const text = JSON.stringify(value, (key, part: unknown) => {
    if (key.startsWith("date") && typeof part === "number") return part > 0;
    return key === "url" ? undefined : part;
  });
  return JSON.parse(text) as unknown;
}

async function walk(fixture: Fixture, seed: number): Promise<unknown[]> {
  const random = seededRandom(seed);
  const projects = [await makeProject(fixture.app), await makeProject(fixture.app)];
  const agent = await fixture.addAccount(`walker-${seed}`, {
    [some(projects[0]).id]: "project-member",
  });
  const world = { projects, agent: agent.id };
  const log: unknown[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const calls = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () =>
      randomCall(random, world),
    );
    const client = random.next() < 0.5 ? fixture.app : agent.client;
    const asked = calls.map(({ method, params }) => [method, params]);
    try {
      const replies = await client.batch(calls, AS);
      const said = replies.map((reply) =>
        reply.ok ? withoutTimes(reply.value) : reply.error.code,
      );
      log.push([asked, said]);
    } catch (error) {
      if (!isFabricError(error)) throw error;
      log.push([asked, error.code, error.retryable]);
    }
  }
  return [...log, ...(await everything(fixture.app, projects))];
}

const [memory, real] = SUBJECTS.map((subject) => subject);

describe("random walks", { skip: some(real).skip }, () => {
  const open: Fixture[] = [];
  before(async () => {
    for (const subject of [some(memory), some(real)]) open.push(await subject.open());
  });
  after(() => Promise.all(open.map((fixture) => fixture.stop())));
  for (const seed of SEEDS) {
    test(`of seed ${seed} end alike on both boards`, async () => {
      const [imagined, measured] = [
        await walk(some(open[0]), seed),
        await walk(some(open[1]), seed),
      ];
      for (const [i, step] of measured.entries())
        assert.deepEqual(imagined[i], step, `step ${i}: ${JSON.stringify([step, imagined[i]])}`);
    });
  }
});
