// Every test file is run by the gate: a pattern that matches nothing would pass without a word.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("..", import.meta.url).pathname;
const inside = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).filter((path) => !path.includes("node_modules"));

test("each pattern of scripts/test finds tests, and together they find them all", () => {
  const gate = readFileSync(`${root}/scripts/test`, "utf8");
  const lines = gate.split("\n").filter((line) => /^ {2}(FABRIC_\S+ )?node --test/.test(line));
  const patterns = lines.flatMap((line) =>
    Array.from(line.matchAll(/'([^']+\.test\.ts)'/g), (match) => match[1] ?? ""),
  );
  assert.ok(patterns.length > 5);
  for (const pattern of patterns) assert.ok(inside(pattern).length > 0, pattern);
  const run = new Set(patterns.flatMap(inside));
  const all = ["packages", "workers", "scripts", "test"].flatMap((folder) =>
    inside(`${folder}/**/*.test.ts`),
  );
  assert.deepEqual(all.filter((path) => !run.has(path)).toSorted(), []);
});
