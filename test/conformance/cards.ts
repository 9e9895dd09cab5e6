// Cards: what create, read, search, change and close do.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  closeTask,
  createComment,
  createTask,
  createTaskFile,
  downloadTaskFile,
  getAllComments,
  getAllTaskFiles,
  getAllTasks,
  getTask,
  getTaskByReference,
  getTaskMetadata,
  openTask,
  removeComment,
  removeTask,
  removeTaskFile,
  removeTaskMetadata,
  saveTaskMetadata,
  searchTasks,
  type TaskId,
  updateComment,
  updateTask,
} from "@agap/kb-client";
import { AS, type Fixture, makeProject, some } from "./fixture.ts";

export function cardTests(on: () => Fixture): void {
  test("a new card is open, nobody's, at the bottom of the column", async () => {
    const { app } = on();
    const project = await makeProject(app);
    await project.add({ columnId: project.ready.id });
    const id = await project.add({
      columnId: project.ready.id,
      title: "Über 🚀",
      score: 5,
      priority: 2,
    });
    const task = some(await app.call(getTask(id), AS));
    assert.equal(task.title, "Über 🚀");
    assert.equal(task.columnId, project.ready.id);
    assert.equal(task.swimlaneId, project.lane.id);
    assert.equal(task.position, 2);
    assert.deepEqual([task.ownerId, task.creatorId, task.isActive], [null, null, true]);
    assert.deepEqual([task.score, task.priority, task.description], [5, 2, ""]);
    assert.deepEqual([task.dateDue, task.dateCompleted, task.reference], [null, 0, ""]);
    assert.equal(task.dateMoved, task.dateCreation);
    assert.ok(task.dateCreation > 1_700_000_000, "epoch seconds");
  });

  test("without a column a card lands in the first one", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const task = some(await app.call(getTask(await project.add()), AS));
    assert.equal(task.columnId, project.backlog.id);
  });

  test("a card is refused for an unknown project, column or owner and for a date in another form", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const [admin] = [1] as number[];
    const refused = [
      createTask({ title: "x", projectId: 9999 as typeof project.id }),
      createTask({ title: "x", projectId: project.id, columnId: 9999 as typeof project.ready.id }),
      createTask({ title: "x", projectId: project.id, ownerId: admin as never }),
      createTask({ title: "x", projectId: project.id, creatorId: admin as never }),
      createTask({ title: "x", projectId: project.id, dateDue: "2026-12-01T10:00" }),
      createTask({ title: "x", projectId: project.id, dateDue: "2026-12-01 10:00:00" }),
    ];
    for (const outcome of await app.batch(refused, AS)) {
      assert.deepEqual(outcome, { ok: true, value: null });
    }
  });

  test("changes are blind and leave out what is not given", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add({ description: "old", score: 3, reference: "r1" });
    assert.equal(await app.call(updateTask(id, { title: "new", priority: 1 }), AS), true);
    const task = some(await app.call(getTask(id), AS));
    assert.deepEqual(
      [task.title, task.priority, task.description, task.score, task.reference],
      ["new", 1, "old", 3, "r1"],
    );
    assert.equal(await app.call(updateTask(id, { ownerId: 1 as never }), AS), false);
    assert.equal(await app.call(updateTask(9999 as TaskId, { title: "x" }), AS), false);
  });

  test("closing and opening are idempotent, keep the column and set the time of the end", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add({ columnId: project.wip.id });
    const results = await app.batch([closeTask(id), closeTask(id), getTask(id)], AS);
    assert.deepEqual(results.slice(0, 2), [
      { ok: true, value: true },
      { ok: true, value: true },
    ]);
    const closed = some(results[2].ok ? results[2].value : null);
    assert.equal(closed.isActive, false);
    assert.equal(closed.columnId, project.wip.id);
    assert.ok(closed.dateCompleted > 0);
    await app.batch([openTask(id), openTask(id)], AS);
    const opened = some(await app.call(getTask(id), AS));
    assert.deepEqual([opened.isActive, opened.dateCompleted], [true, 0]);
    assert.equal(await app.call(closeTask(9999 as TaskId), AS), false);
  });

  test("a removed card is gone once, and its id may come again with another time of creation", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    const replies = await app.batch([removeTask(id), removeTask(id), getTask(id)], AS);
    assert.deepEqual(
      replies.map((reply) => reply.ok && reply.value),
      [true, false, null],
    );
    assert.equal(await project.add(), id, "SQLite gives the highest id again");
  });

  test("a card is found by its whole reference, and not in another project", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const other = await makeProject(app);
    const id = await project.add({ reference: "key-1" });
    assert.equal((await app.call(getTaskByReference(project.id, "key-1"), AS))?.id, id);
    assert.equal(await app.call(getTaskByReference(project.id, "key-"), AS), null);
    assert.equal(await app.call(getTaskByReference(other.id, "key-1"), AS), null);
  });

  test("open and closed cards are listed apart", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const open = await project.add();
    const closed = await project.add();
    await app.call(closeTask(closed), AS);
    const ids = async (active: boolean): Promise<TaskId[]> =>
      (await app.call(getAllTasks(project.id, active), AS)).map((task) => task.id);
    assert.deepEqual([await ids(true), await ids(false)], [[open], [closed]]);
  });

  test("a search row counts comments and files and names the column", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add({ columnId: project.ready.id });
    await app.batch(
      [
        createComment({ taskId: id, userId: 1 as never, content: "hello" }),
        createTaskFile({ projectId: project.id, taskId: id, filename: "a.md", content: "x" }),
      ],
      AS,
    );
    const [row] = await app.call(searchTasks(project.id, "status:open"), AS);
    assert.deepEqual(
      [row?.id, row?.columnName, row?.commentCount, row?.fileCount],
      [id, "Ready", 1, 1],
    );
    assert.equal(row?.url, undefined);
  });

  test("comments keep their order, their author and their text", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    const text = "two\nlines with <b>, ünï and 🧵";
    const first = some(
      await app.call(createComment({ taskId: id, userId: 1 as never, content: text }), AS),
    );
    const second = some(
      await app.call(createComment({ taskId: id, userId: 0 as never, content: "b" }), AS),
    );
    assert.equal(
      await app.call(createComment({ taskId: id, userId: 1 as never, content: "" }), AS),
      null,
    );
    assert.equal(await app.call(updateComment({ id: second, content: "c" }), AS), true);
    const comments = await app.call(getAllComments(id), AS);
    assert.deepEqual(
      comments.map((comment) => [comment.id, comment.userId, comment.username, comment.text]),
      [
        [first, 1, "admin", text],
        [second, null, null, "c"],
      ],
    );
    const removals = await app.batch([removeComment(first), removeComment(first)], AS);
    assert.deepEqual(
      removals.map((reply) => reply.ok && reply.value),
      [true, false],
    );
  });

  test("a comment on a card that is gone is refused", async () => {
    const { app } = on();
    const lost = createComment({ taskId: 9999 as TaskId, userId: 1 as never, content: "x" });
    assert.equal(await app.call(lost, AS), null);
  });

  test("files come back as they went, empty ones with a line end", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    const contents = ["# Ünïcode 🧪\n", "", "0"];
    const made = await app.batch(
      contents.map((content, i) =>
        createTaskFile({ projectId: project.id, taskId: id, filename: `f${i}.md`, content }),
      ),
      AS,
    );
    const ids = made.map((reply) => some(reply.ok ? reply.value : null));
    const read = await app.batch(
      ids.map((file) => downloadTaskFile(file)),
      AS,
    );
    assert.deepEqual(
      read.map((reply) => reply.ok && reply.value),
      ["# Ünïcode 🧪\n", "\n", "0\n"],
    );
    const files = await app.call(getAllTaskFiles(id), AS);
    assert.deepEqual(
      files.map((file) => [file.id, file.name, file.size, file.taskId]),
      [
        [ids[0], "f0.md", 17, id],
        [ids[1], "f1.md", 1, id],
        [ids[2], "f2.md", 2, id],
      ],
    );
    const [first] = ids;
    const removals = await app.batch(
      [removeTaskFile(some(first)), removeTaskFile(some(first))],
      AS,
    );
    assert.deepEqual(
      removals.map((reply) => reply.ok && reply.value),
      [true, false],
    );
    const elsewhere = await makeProject(app);
    const foreign = createTaskFile({
      projectId: elsewhere.id,
      taskId: id,
      filename: "x",
      content: "x",
    });
    assert.equal(await app.call(foreign, AS), null);
  });

  test("metadata is an upsert by name that leaves other names alone", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    assert.deepEqual(await app.call(getTaskMetadata(id), AS), {});
    await app.call(saveTaskMetadata(id, { "f.a": "1", "f.b": "x" }), AS);
    assert.equal(await app.call(saveTaskMetadata(id, { "f.a": "2", "7": "seven" }), AS), true);
    assert.deepEqual(await app.call(getTaskMetadata(id), AS), {
      "7": "seven",
      "f.a": "2",
      "f.b": "x",
    });
    const removals = await app.batch(
      [removeTaskMetadata(id, "f.b"), removeTaskMetadata(id, "f.b")],
      AS,
    );
    assert.deepEqual(
      removals.map((reply) => reply.ok && reply.value),
      [true, false],
    );
    assert.equal(await app.call(saveTaskMetadata(9999 as TaskId, { a: "b" }), AS), false);
  });
}
