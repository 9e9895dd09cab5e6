// Who may do what, and how a refusal looks: one element replaces the whole answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addColumn,
  addProjectUser,
  createComment,
  createTag,
  createTask,
  createUser,
  disableUser,
  getActions,
  getAllComments,
  getAllProjects,
  getAssignableUsers,
  getMe,
  getProjectActivity,
  getProjectById,
  getProjectUsers,
  getTask,
  getUserByName,
  moveWithinProject,
  type Procedure,
  type ProjectId,
  rawCall,
  removeTask,
  type TaskId,
  updateComment,
  updateTask,
} from "@agap/kb-client";
import { AS, codeOf, type Fixture, makeProject, some } from "./fixture.ts";

export function accessTests(on: () => Fixture): void {
  test("an account is itself and the application token is nobody", async () => {
    const fixture = on();
    const agent = await fixture.addAccount("me-myself");
    const me = await agent.client.call(getMe(), AS);
    assert.deepEqual(
      [me.id, me.username, me.isActive, me.role],
      [agent.id, "me-myself", true, "app-user"],
    );
    assert.equal(await codeOf(fixture.app.call(getMe(), AS)), "KB_FORBIDDEN no");
  });

  test("a wrong token and a disabled account are not let in", async () => {
    const fixture = on();
    const agent = await fixture.addAccount("leaver");
    const wrong = fixture.client({ ...agent.auth, token: "wrong" });
    assert.equal(await codeOf(wrong.call(getMe(), AS)), "KB_UNAUTHORIZED no");
    await fixture.app.call(disableUser(agent.id), AS);
    assert.equal(await codeOf(agent.client.call(getMe(), AS)), "KB_UNAUTHORIZED no");
    const application = fixture.client({ kind: "app", token: "wrong" });
    assert.equal(await codeOf(application.call(getAllProjects(), AS)), "KB_UNAUTHORIZED no");
  });

  test("what is gone, what is foreign and what needs another role look alike with a user's token", async () => {
    const fixture = on();
    const { app } = fixture;
    const [own, foreign] = [await makeProject(app), await makeProject(app)];
    const agent = await fixture.addAccount("member", { [own.id]: "project-member" });
    const id = await foreign.add();
    const calls: Procedure<unknown>[] = [
      getTask(99_999 as TaskId),
      getTask(id),
      getProjectById(99_999 as ProjectId),
      getActions(own.id),
      addColumn(own.id, "New"),
      addProjectUser(own.id, agent.id, "project-manager"),
      getUserByName("member"),
      getAllProjects(),
    ];
    for (const call of calls) {
      assert.equal(await codeOf(agent.client.call(call, AS)), "KB_FORBIDDEN no", call.method);
    }
    assert.equal(await app.call(getTask(99_999 as TaskId), AS), null);
    assert.equal(await app.call(getProjectById(99_999 as ProjectId), AS), null);
    assert.equal(await app.call(getUserByName("nobody-of-that-name"), AS), null);
  });

  test("a viewer reads and does not write", async () => {
    const fixture = on();
    const project = await makeProject(fixture.app);
    const viewer = await fixture.addAccount("viewer", { [project.id]: "project-viewer" });
    const id = await project.add();
    assert.equal((await viewer.client.call(getTask(id), AS))?.id, id);
    const writes: Procedure<unknown>[] = [
      updateTask(id, { title: "x" }),
      createTag(project.id, "x", null),
    ];
    for (const call of writes)
      assert.equal(await codeOf(viewer.client.call(call, AS)), "KB_FORBIDDEN no");
    assert.deepEqual(await fixture.app.call(getAssignableUsers(project.id), AS), []);
    const members = await fixture.app.call(getProjectUsers(project.id), AS);
    assert.deepEqual(members, [{ id: viewer.id, name: "viewer" }]);
  });

  test("one forbidden element loses the answers of a batch whose earlier writes are done", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const agent = await fixture.addAccount("batcher", { [project.id]: "project-member" });
    const id = await project.add();
    const batch = agent.client.batch(
      [updateTask(id, { title: "done" }), getTask(99_999 as TaskId), updateTask(id, { score: 7 })],
      AS,
    );
    assert.equal(await codeOf(batch), "KB_FORBIDDEN ambiguous");
    const task = some(await app.call(getTask(id), AS));
    assert.deepEqual(
      [task.title, task.score],
      ["done", 0],
      "what came before is done, what follows is not",
    );
  });

  test("a failing element does not stop those behind it", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    const [unknown, missing, many, updated] = await app.batch(
      [
        rawCall("noSuchMethod", {}, "read"),
        rawCall("getTask", {}, "read"),
        rawCall("getTask", { task_id: id, more: 1, evenMore: 2 }, "read"),
        updateTask(id, { title: "still" }),
      ],
      AS,
    );
    const code = (outcome: typeof unknown): string => (outcome.ok ? "ok" : outcome.error.code);
    assert.deepEqual(
      [code(unknown), code(missing), code(many), code(updated)],
      ["KB_UNKNOWN_METHOD", "KB_BAD_PARAMS", "KB_BAD_PARAMS", "ok"],
    );
  });

  test("people write under their own name only, and change only what they wrote", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const one = await fixture.addAccount("one", { [project.id]: "project-member" });
    const two = await fixture.addAccount("two", { [project.id]: "project-member" });
    const id = await project.add();
    const comment = { taskId: id, userId: two.id, content: "hi" };
    assert.equal(await one.client.call(createComment(comment), AS), null);
    const own = some(await two.client.call(createComment(comment), AS));
    assert.equal(await one.client.call(updateComment({ id: own, content: "x" }), AS), false);
    assert.equal(await two.client.call(updateComment({ id: own, content: "y" }), AS), true);
    assert.equal((await one.client.call(getAllComments(id), AS))[0]?.text, "y");
    const task = some(await two.client.call(createTask({ title: "t", projectId: project.id }), AS));
    assert.equal((await app.call(getTask(task), AS))?.creatorId, two.id);
  });

  test("the activity names people and never the application token", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const agent = await fixture.addAccount("busy", { [project.id]: "project-member" });
    const id = await project.add();
    await app.call(updateTask(id, { title: "by nobody" }), AS);
    assert.deepEqual(await app.call(getProjectActivity(project.id), AS), []);
    const { wip, lane } = project;
    await agent.client.call(updateTask(id, { title: "by busy" }), AS);
    const move = {
      taskId: id,
      projectId: project.id,
      column: wip,
      swimlaneId: lane.id,
      ownerId: null,
    };
    await agent.client.call(moveWithinProject(move), AS);
    const entries = await app.call(getProjectActivity(project.id), AS);
    assert.deepEqual(
      entries.map((entry) => [entry.event, entry.authorId, entry.authorUsername, entry.taskId]),
      [
        ["task.move.project", agent.id, "busy", id],
        ["task.update", agent.id, "busy", id],
      ],
    );
    await agent.client.call(removeTask(id), AS);
    assert.deepEqual(await app.call(getProjectActivity(project.id), AS), []);
  });

  test("accounts and members are made once", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = some(await app.call(createUser({ username: "once", password: "long enough" }), AS));
    assert.equal(
      await app.call(createUser({ username: "once", password: "long enough" }), AS),
      null,
    );
    assert.equal(await app.call(createUser({ username: "short", password: "12345" }), AS), null);
    assert.equal(await app.call(addProjectUser(project.id, id, "project-member"), AS), true);
    assert.equal(await app.call(addProjectUser(project.id, id, "project-manager"), AS), false);
    assert.deepEqual(await app.call(getAssignableUsers(project.id), AS), [{ id, name: "once" }]);
    const user = some(await app.call(getUserByName("once"), AS));
    assert.deepEqual([user.id, user.name, user.timezone], [id, "", null]);
    assert.deepEqual(Object.keys(user).toSorted(), [
      "id",
      "isActive",
      "name",
      "role",
      "timezone",
      "username",
    ]);
  });
}
