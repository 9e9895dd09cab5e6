import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ProjectId, TaskId, UserId } from "../ids.ts";
import { cleanText } from "./limits.ts";
import { createComment } from "./procedures/comments.ts";
import { createTaskFile } from "./procedures/files.ts";
import { saveTaskMetadata } from "./procedures/metadata.ts";
import { createTag, setTaskTags, updateTag } from "./procedures/tags.ts";
import { createTask, updateTask } from "./procedures/tasks.ts";

const project = 1 as ProjectId;
const task = 2 as TaskId;
const half = "\ud83d";

test("what the strictest database can't hold is refused before it is sent", () => {
  const long = (length: number): string => "x".repeat(length);
  const cases: [string, () => unknown][] = [
    ["KB_LIMIT_TITLE", () => createTask({ projectId: project, title: long(256) })],
    ["KB_LIMIT_TITLE", () => createTask({ projectId: project, title: " \n" })],
    ["KB_LIMIT_TITLE", () => updateTask(task, { title: "" })],
    ["KB_LIMIT_TITLE", () => createTask({ projectId: project, title: "0" })],
    [
      "KB_LIMIT_REFERENCE",
      () => createTask({ projectId: project, title: "t", reference: long(192) }),
    ],
    ["KB_LIMIT_TAG_NAME", () => createTag(project, long(192), null)],
    ["KB_LIMIT_TAG_NAME", () => createTag(project, "", null)],
    ["KB_LIMIT_TAG_NAME", () => setTaskTags(project, task, ["ok", long(192)])],
    ["KB_LIMIT_TAG_COLOR", () => updateTag(3 as never, "t", long(51))],
    ["KB_LIMIT_METADATA", () => saveTaskMetadata(task, { [long(51)]: "x" })],
    ["KB_LIMIT_METADATA", () => saveTaskMetadata(task, { x: long(256) })],
    ["KB_NUL_CHARACTER", () => createTag(project, "a\u0000b", null)],
    ["KB_NUL_CHARACTER", () => saveTaskMetadata(task, { x: "\u0000" })],
    ["KB_LONE_SURROGATE", () => createTag(project, `t${half}`, null)],
    ["KB_LONE_SURROGATE", () => createTask({ projectId: project, title: "t", reference: half })],
  ];
  for (const [code, make] of cases) assert.throws(make, { code, retryable: "no" }, `${make}`);
});

test("lengths count characters, not their parts", () => {
  const title = "🚀".repeat(255);
  assert.equal(createTask({ projectId: project, title }).params["title"], title);
  assert.throws(() => createTask({ projectId: project, title: `${title}x` }), /256 characters/);
});

test("the largest that fits goes through unchanged", () => {
  const [name, color] = ["n".repeat(191), "c".repeat(50)];
  assert.deepEqual(createTag(project, name, color).params, {
    project_id: 1,
    tag: name,
    color_id: color,
  });
});

test("prose loses what can't be stored and nothing else", () => {
  const comment = createComment({
    taskId: task,
    userId: 1 as UserId,
    content: `a\u0000b ${half} 🚀`,
  });
  assert.equal(comment.params["content"], "ab \ufffd 🚀");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const clean = cleanText(text);
      assert.ok(!clean.includes("\u0000"));
      assert.equal(JSON.parse(JSON.stringify(clean)), clean);
      assert.equal(Buffer.from(clean, "utf8").toString("utf8"), clean, "no half characters left");
    }),
  );
});

test("what is not given is not sent, and null has its own meaning", () => {
  assert.deepEqual(updateTask(task, { ownerId: null, dateDue: null, score: undefined }).params, {
    id: 2,
    owner_id: 0,
    date_due: "",
  });
  assert.deepEqual(createTag(project, "x", null).params, { project_id: 1, tag: "x" });
});

test("a file is sent as base64 of UTF-8", () => {
  const file = createTaskFile({
    projectId: project,
    taskId: task,
    filename: "a.md",
    content: "ü🧪",
  });
  assert.equal(Buffer.from(`${file.params["blob"]}`, "base64").toString("utf8"), "ü🧪");
});
