// Tags: put-if-absent, and what an update proves.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createTag,
  disableProject,
  getAllTags,
  getMyProjects,
  getTagsByProject,
  getTaskTags,
  type ProjectId,
  rawCall,
  removeTag,
  searchTasks,
  setTaskTags,
  type TagId,
  updateTag,
} from "@agap/kb-client";
import { AS, codeOf, type Fixture, makeProject, some } from "./fixture.ts";

export function tagTests(on: () => Fixture): void {
  test("the first to create a tag gets its id, everybody after gets nothing", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const name = "t42-abc.1";
    const payload = "c:owner:0123456789:tgzk2a";
    const replies = await app.batch(
      [createTag(project.id, name, payload), createTag(project.id, name, "other")],
      AS,
    );
    const [first, second] = replies.map((reply) => reply.ok && reply.value);
    assert.ok(typeof first === "number");
    assert.equal(second, null);
    const tags = await app.call(getTagsByProject(project.id), AS);
    assert.deepEqual(tags, [{ id: first, name, color: payload, projectId: project.id }]);
  });

  test("the same name is free in another project", async () => {
    const { app } = on();
    const [here, there] = [await makeProject(app), await makeProject(app)];
    assert.ok(await app.call(createTag(here.id, "x", null), AS));
    assert.ok(await app.call(createTag(there.id, "x", null), AS));
  });

  test("updating a tag that is gone says true, taking another's name says false", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const one = some(await app.call(createTag(project.id, "one", "a"), AS));
    await app.call(createTag(project.id, "two", "b"), AS);
    assert.equal(await app.call(updateTag(99_999 as TagId, "three", "c"), AS), true);
    assert.equal(await app.call(updateTag(one, "two", "c"), AS), false);
    assert.equal(await app.call(updateTag(one, "one", "c"), AS), true);
    const tags = await app.call(getTagsByProject(project.id), AS);
    assert.deepEqual(
      tags.map((tag) => [tag.name, tag.color]),
      [
        ["one", "c"],
        ["two", "b"],
      ],
    );
    await app.call(updateTag(one, "one", null), AS);
    const [cleared] = await app.call(getTagsByProject(project.id), AS);
    assert.equal(cleared?.color, null);
  });

  test("a tag is removed by exactly one caller and leaves the cards that had it", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add({ tags: ["gone", "kept"] });
    const gone = some(
      (await app.call(getTagsByProject(project.id), AS)).find((tag) => tag.name === "gone"),
    );
    const removals = await app.batch([removeTag(gone.id), removeTag(gone.id)], AS);
    assert.deepEqual(
      removals.map((reply) => reply.ok && reply.value),
      [true, false],
    );
    assert.deepEqual(await app.call(getTaskTags(id), AS), ["kept"]);
  });

  test("setting a card's tags replaces them and creates what is new", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add({ tags: ["a", "b"] });
    assert.deepEqual(await app.call(getTaskTags(id), AS), ["a", "b"]);
    assert.equal(await app.call(setTaskTags(project.id, id, ["b", "c"]), AS), true);
    assert.deepEqual(await app.call(getTaskTags(id), AS), ["b", "c"]);
    const names = (await app.call(getTagsByProject(project.id), AS)).map((tag) => tag.name);
    assert.deepEqual(names, ["a", "b", "c"]);
  });

  test("a search for a tag finds parts of names, and rows of a search show no tags", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add({ tags: ["not-ready"] });
    const rows = await app.call(searchTasks(project.id, "status:open tag:ready"), AS);
    assert.deepEqual(
      rows.map((row) => row.id),
      [id],
    );
    assert.equal("tags" in some(rows[0]), false);
  });

  test("tags given as a text instead of a list kill the request", async () => {
    const { app } = on();
    const project = await makeProject(app);
    const id = await project.add();
    const wrong = rawCall(
      "setTaskTags",
      { project_id: project.id, task_id: id, tags: "x" },
      "write",
    );
    assert.equal(await codeOf(app.call(wrong, AS)), "KB_SERVER_ERROR ambiguous");
  });

  test("a disabled project takes tags from members and is in nobody's list", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const agent = await fixture.addAccount("ledgerer", { [project.id]: "project-member" });
    await app.call(disableProject(project.id), AS);
    const tag = some(await agent.client.call(createTag(project.id, "t1.1", "x"), AS));
    assert.equal(await agent.client.call(updateTag(tag, "t1.1", "y"), AS), true);
    const [read] = await agent.client.call(getTagsByProject(project.id), AS);
    assert.equal(read?.color, "y");
    assert.deepEqual(await agent.client.call(getMyProjects(), AS), []);
  });

  test("the whole board's tags are unique too, and members see them", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const agent = await fixture.addAccount("reader", { [project.id]: "project-member" });
    const name = `fabric-${project.id}`;
    assert.ok(await app.call(createTag(0 as ProjectId, name, "x"), AS));
    assert.equal(await app.call(createTag(0 as ProjectId, name, "y"), AS), null);
    await app.call(createTag(project.id, "own", null), AS);
    const names = (await agent.client.call(getAllTags(), AS)).map((tag) => tag.name);
    assert.ok(names.includes(name) && names.includes("own"));
  });
}
