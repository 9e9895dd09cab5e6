// What a model is told of a task.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Epoch, TaskId } from "@agap/kb-client";
import { promptOf } from "./prompt.ts";

const input = {
  taskId: 1 as TaskId,
  queue: "local",
  epoch: 1 as Epoch,
  title: "Summarise",
  description: "",
  comments: [],
  refs: [],
};

test("a title alone is the whole prompt", () => {
  assert.equal(promptOf({ ...input, description: "  \n" }), "Summarise");
});

test("the description goes in verbatim, comments with who said them", () => {
  const description = "  # A\r\n\n```\n<b>@owner</b>\n```";
  const comments = [{ by: "owner", text: "in English" }];
  assert.equal(
    promptOf({ ...input, description, comments }),
    `Summarise\n\n${description}\n\nComments on this task:\n\nowner: in English`,
  );
});
