// Values as PostgreSQL, MariaDB and older PHP give them; the conformance suite covers SQLite.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectId, TaskId } from "../ids.ts";
import { getMe } from "./procedures/users.ts";
import { getTaskMetadata } from "./procedures/metadata.ts";
import { createTag, getTagsByProject, getTaskTags } from "./procedures/tags.ts";
import { createTask, getTask } from "./procedures/tasks.ts";
import { getProjectUsers } from "./procedures/users.ts";

const project = 1 as ProjectId;
const row = {
  id: 7,
  project_id: 1,
  title: "t",
  description: null,
  column_id: 2,
  swimlane_id: 3,
  owner_id: 0,
  creator_id: null,
  is_active: 1,
  date_creation: 10,
  date_moved: 11,
  date_modification: 12,
  date_completed: null,
  date_due: 0,
  score: null,
  priority: 0,
  position: 1,
  reference: null,
  recurrence_status: 0,
  external_provider: null,
};

test("the same card reads alike from every database", () => {
  const expected = getTask(7 as TaskId).parse(row);
  const postgres = { ...row, is_active: true, date_due: "0", score: 0, owner_id: null };
  const oldPhp = Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === "number" ? `${value}` : value,
    ]),
  );
  assert.deepEqual(getTask(7 as TaskId).parse(postgres), expected);
  assert.deepEqual(getTask(7 as TaskId).parse(oldPhp), expected);
  assert.deepEqual(
    [
      expected?.isActive,
      expected?.ownerId,
      expected?.dateDue,
      expected?.description,
      expected?.dateCompleted,
    ],
    [true, null, null, "", 0],
  );
  const closed = [false, 0, "0"].map(
    (is_active) => getTask(7 as TaskId).parse({ ...row, is_active })?.isActive,
  );
  assert.deepEqual(closed, [false, false, false]);
});

test("none is null, false or an empty list", () => {
  for (const none of [null, false, []]) assert.equal(getTask(7 as TaskId).parse(none), null);
});

test("a refusal is 0, false or null, an id is a number or its text", () => {
  const ids = [0, false, null, 5, "5"].map((raw) => createTag(project, "x", null).parse(raw));
  assert.deepEqual(ids, [null, null, null, 5, 5]);
  assert.equal(createTask({ projectId: project, title: "t" }).parse(0), null);
});

test("maps are objects, lists when PHP counts their keys from 0, or empty lists", () => {
  assert.deepEqual(getTaskMetadata(7 as TaskId).parse([]), {});
  assert.deepEqual(getTaskMetadata(7 as TaskId).parse({ a: 1, b: null }), { a: "1", b: "" });
  assert.deepEqual(getTaskMetadata(7 as TaskId).parse(["x"]), { "0": "x" });
  assert.deepEqual(getTaskTags(7 as TaskId).parse({ "3": "a", "1": "b" }), ["b", "a"]);
  assert.deepEqual(getProjectUsers(project).parse({ "4": "Ada" }), [{ id: 4, name: "Ada" }]);
});

test("another shape is refused with the method's name and the start of what came", () => {
  const wrong = [{ id: 1 }, "text", { id: {}, name: "x" }];
  for (const raw of [null, wrong, [{ ...row, id: "seven" }]]) {
    assert.throws(() => getTagsByProject(project).parse(raw), {
      code: "KB_UNEXPECTED_REPLY",
      message: /^getTagsByProject/,
    });
  }
});

test("secrets that Kanboard sends along are dropped", () => {
  const me = {
    id: 1,
    username: "a",
    name: "",
    role: "app-user",
    timezone: null,
    api_access_token: "s",
    password: "h",
  };
  assert.deepEqual(getMe().parse(me), {
    id: 1,
    username: "a",
    name: "",
    isActive: true,
    role: "app-user",
    timezone: null,
  });
});
