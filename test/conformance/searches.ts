// The search language, as far as the fabric uses it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { closeTask, searchTasks, type TaskId } from "@agap/kb-client";
import { AS, type Fixture, makeProject } from "./fixture.ts";

export function searchTests(on: () => Fixture): void {
  test("filters of different kinds must all hold, several of one kind are alternatives", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const agent = await fixture.addAccount("searcher", { [project.id]: "project-member" });
    const { ready, wip } = project;
    const low = await project.add({ columnId: ready.id, title: "low alpha", reference: "ab_1" });
    const high = await project.add({
      columnId: ready.id,
      title: "high",
      priority: 3,
      tags: ["Blocked"],
    });
    const owned = await project.add({
      columnId: wip.id,
      title: "owned",
      ownerId: agent.id,
      score: 5,
    });
    const closed = await project.add({ columnId: ready.id, title: "closed" });
    await app.call(closeTask(closed), AS);
    const expected: [string, TaskId[]][] = [
      ["", [low, high, owned, closed]],
      ["status:open", [low, high, owned]],
      ["status:closed", [closed]],
      ["status:nonsense", [low, high, owned, closed]],
      [`status:open column:${ready.id}`, [low, high]],
      ['status:open column:"Work in progress"', [owned]],
      ["column:Ready", [low, high, closed]],
      ["column:ready", []],
      [`status:open column:${ready.id} assignee:nobody`, [low, high]],
      // The application token is user 0, and so is nobody.
      ["assignee:me", [low, high, closed]],
      [`assignee:${agent.id}`, [owned]],
      ["assignee:search", [owned]],
      ["assignee:anybody", [owned]],
      ["priority:3", [high]],
      ["priority:>=1", [high]],
      ["priority:<3 status:open", [low, owned]],
      ["score:5", [owned]],
      ["priority:0 priority:3 status:open", [low, high, owned]],
      ["tag:block", [high]],
      ["tag:none status:open", [low, owned]],
      [`status:open column:${ready.id} assignee:nobody tag:blocked`, [high]],
      ["reference:ab_1", [low]],
      ["ref:AB_1", [low]],
      ["ref:abx1", []],
      ["ref:ab", []],
      ["ref:ab*", [low]],
      ["ref:none status:open", [high, owned]],
      ["alpha", [low]],
      ['"low alpha"', [low]],
      ["title:HIGH", [high]],
      ["LOW status:open", [low]],
      [`id:${high}`, [high]],
      [`#${high}`, [high]],
      ["created:>=2020-01-01 status:open", [low, high, owned]],
      ["created:<2020-01-01", []],
      ["created:2020-01-01", []],
    ];
    for (const [query, ids] of expected) {
      const rows = await app.call(searchTasks(project.id, query), AS);
      assert.deepEqual(
        rows.map((row) => row.id).sort((a, b) => a - b),
        ids,
        query,
      );
    }
    const mine = await agent.client.call(searchTasks(project.id, "assignee:me"), AS);
    assert.deepEqual(
      mine.map((row) => row.id),
      [owned],
    );
  });
}
