// The example on the page about queues is a valid file, and the defaults it names are the defaults.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseQueueConfig } from "@agap/fabric";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

test("docs/queues.md shows the defaults", () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(read("docs/queues.md"))?.[1] ?? "";
  const shown = parseQueueConfig(example, "docs/queues.md");
  const bare = "queue: local\nexecutor: {kind: llm, model: local-small}\n";
  const { executor: shownExecutor, ...shownRest } = shown;
  const { executor, ...rest } = parseQueueConfig(bare, "bare");
  assert.deepEqual(shownRest, rest);
  assert.ok(shownExecutor.kind === "llm" && executor.kind === "llm");
  const { system: _shown, maxTokens: _max, ...shownLlm } = shownExecutor;
  const { system: _system, maxTokens: _maxTokens, ...llm } = executor;
  assert.deepEqual(shownLlm, llm);
});

test("the shipped queue is a valid file", () => {
  assert.equal(parseQueueConfig(read("workers/queues/local.yaml"), "local.yaml").queue, "local");
});
