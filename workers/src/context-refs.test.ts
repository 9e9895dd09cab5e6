// Which references a text holds.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TaskId } from "@agap/kb-client";
import { cardRefs } from "./context-refs.ts";

const own = 7 as TaskId;

test("cards are pointed at by number, each once, and never the card itself", () => {
  assert.deepEqual(cardRefs("see #12, #3 and #12 again; this is #7", own), [12, 3]);
});

test("what only looks like a reference is none", () => {
  for (const text of ["issue#12", "&#64;", "https://board/#12", "## 12", "#0", "#x1", "##12"]) {
    assert.deepEqual(cardRefs(text, own), [], text);
  }
});

test("a card that points at the whole board gets the first five", () => {
  const text = Array.from({ length: 40 }, (_, i) => `#${i + 100}`).join(" ");
  assert.deepEqual(cardRefs(text, own), [100, 101, 102, 103, 104]);
});
