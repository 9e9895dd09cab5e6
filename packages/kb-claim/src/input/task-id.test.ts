// Names of tasks as people and models type them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFabricError } from "@agap/kb-client";
import { parseTaskName } from "./task-id.ts";

test("a number, a hash, a queue and an address all name the task", () => {
  assert.deepEqual(parseTaskName("42"), { id: 42 });
  assert.deepEqual(parseTaskName(" #42 "), { id: 42 });
  assert.deepEqual(parseTaskName("local#42"), { id: 42, queue: "local" });
  const addresses = [
    "http://127.0.0.1:8090/task/42",
    "http://host/kanboard/project/3/task/42",
    "http://host/?controller=TaskViewController&action=show&task_id=42&project_id=3",
    "http://host/task/42#comment-7",
  ];
  for (const address of addresses) assert.deepEqual(parseTaskName(address), { id: 42 }, address);
});

test("anything else is refused with the ways that work", () => {
  for (const text of ["", "0", "-1", "4.2", "abc", "#", "Local#4", "http://host/board/3", "1e3"]) {
    assert.throws(
      () => parseTaskName(text),
      (error) => isFabricError(error, "INPUT_TASK_ID") && /42/.test(error.hint ?? ""),
      text,
    );
  }
});
