// Moves: the safe one, and a person's drag.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  closeTask,
  type Column,
  getTask,
  getTaskTags,
  moveTaskPosition,
  moveTaskToProject,
  moveWithinProject,
  type Procedure,
  setTaskTags,
  type Task,
  type TaskId,
  type UserId,
} from "@agap/kb-client";
import {
  AS,
  codeOf,
  type Fixture,
  makeProject,
  nextSecond,
  some,
  type TestProject,
} from "./fixture.ts";

function move(
  project: TestProject,
  taskId: TaskId,
  column: Column,
  ownerId?: UserId | null,
): Procedure<boolean> {
  const { id: projectId, lane } = project;
  return moveWithinProject({ taskId, projectId, column, swimlaneId: lane.id, ownerId });
}

export function moveTests(on: () => Fixture): void {
  const read = async (id: TaskId): Promise<Task> => some(await on().app.call(getTask(id), AS));
  test("a move within the project sets column and owner and leaves the times alone", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const agent = await fixture.addAccount("mover", { [project.id]: "project-member" });
    const id = await project.add({ columnId: project.ready.id });
    await project.add({ columnId: project.wip.id });
    const before = await read(id);
    await nextSecond(fixture);
    assert.equal(await app.call(move(project, id, project.wip, agent.id), AS), true);
    const moved = await read(id);
    assert.deepEqual(
      [moved.columnId, moved.ownerId, moved.position],
      [project.wip.id, agent.id, 2],
    );
    assert.equal(moved.dateMoved, before.dateMoved);
    assert.equal(moved.dateModification, before.dateModification);
    await app.call(move(project, id, project.done), AS);
    assert.equal((await read(id)).ownerId, agent.id, "undefined keeps the owner");
    await app.call(move(project, id, project.ready, null), AS);
    assert.equal((await read(id)).ownerId, null, "null takes the owner off");
  });

  test("a move reopens a closed card and leaves the time of its end as the trace of that", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    await app.batch([closeTask(id), move(project, id, project.wip)], AS);
    const task = await read(id);
    assert.equal(task.isActive, true);
    assert.ok(task.dateCompleted > 0);
  });

  test("a move pulls a card back from another project", async () => {
    const { app } = on();
    const [here, there] = [await makeProject(app), await makeProject(app)];
    const id = await here.add();
    await app.call(moveTaskToProject({ taskId: id, projectId: there.id }), AS);
    assert.equal((await read(id)).projectId, there.id);
    await app.call(move(here, id, here.wip), AS);
    const back = await read(id);
    assert.deepEqual([back.projectId, back.columnId], [here.id, here.wip.id]);
  });

  test("a column of another project is refused before it is sent", async () => {
    const { app } = on();
    const [here, there] = [await makeProject(app), await makeProject(app)];
    const id = await here.add();
    assert.throws(() => move(here, id, there.wip), { code: "KB_FOREIGN_COLUMN" });
  });

  test("columns are found by title in another project, tags follow by name, a stranger's card is nobody's", async () => {
    const fixture = on();
    const { app } = fixture;
    const [here, there] = [await makeProject(app), await makeProject(app)];
    const agent = await fixture.addAccount("traveller", { [here.id]: "project-member" });
    const id = await here.add({ columnId: here.wip.id, ownerId: agent.id, priority: 9 });
    await app.call(setTaskTags(here.id, id, ["blocked"]), AS);
    await app.call(moveTaskToProject({ taskId: id, projectId: there.id }), AS);
    const task = await read(id);
    assert.deepEqual([task.columnId, task.ownerId, task.priority], [there.wip.id, null, 0]);
    assert.deepEqual(await app.call(getTaskTags(id), AS), ["blocked"]);
  });

  test("moving a card that is gone kills the request", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const lost = app.call(move(project, 9999 as TaskId, project.wip), AS);
    assert.equal(await codeOf(lost), "KB_SERVER_ERROR ambiguous");
  });

  test("a drag sets the times of the dragged card only", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const dragged = await project.add({ columnId: project.ready.id });
    const pushed = await project.add({ columnId: project.wip.id });
    const before = await read(pushed);
    await nextSecond(fixture);
    const drag = moveTaskPosition({
      projectId: project.id,
      taskId: dragged,
      columnId: project.wip.id,
      position: 1,
      swimlaneId: 0,
    });
    assert.equal(await app.call(drag, AS), true);
    const [moved, displaced] = [await read(dragged), await read(pushed)];
    assert.ok(moved.dateMoved > moved.dateCreation);
    assert.equal(moved.dateModification, moved.dateMoved);
    assert.deepEqual([moved.columnId, moved.position], [project.wip.id, 1]);
    assert.deepEqual([displaced.position, displaced.dateMoved], [2, before.dateMoved]);
    assert.equal(await app.call(drag, AS), false, "nothing to do is false");
  });

  test("a drag within a column changes positions and no time", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const ids = [await project.add(), await project.add(), await project.add()] as const;
    await nextSecond(fixture);
    const drag = moveTaskPosition({
      projectId: project.id,
      taskId: ids[2],
      columnId: project.backlog.id,
      position: 1,
      swimlaneId: project.lane.id,
    });
    assert.equal(await app.call(drag, AS), true);
    const tasks = await Promise.all(ids.map(read));
    assert.deepEqual(
      tasks.map((task) => task.position),
      [2, 3, 1],
    );
    assert.equal(some(tasks[2]).dateMoved, some(tasks[2]).dateCreation);
  });
}
