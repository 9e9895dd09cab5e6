// Every stable error code has its entry in docs/errors.md, and the page names no code that nothing raises.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("..", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const sources = globSync(["packages/*/src/**/*.ts", "workers/src/**/*.ts", "scripts/**/*.ts"], {
  cwd: root,
}).filter((path) => !path.endsWith(".test.ts") && !path.includes("node_modules"));

const PREFIXES =
  "KB|LEDGER|QUEUE|SUBMIT|CONFIG|MODEL|AGENT|INBOX|LEASE|TASK|CLI|WORKER|INPUT|UP|STACK|BOARD|CLAIM";
const pattern = new RegExp(`"((?:${PREFIXES})_[A-Z][A-Z0-9_]+)"`, "g");

test("the page of error codes and the code agree", () => {
  const raised = new Set<string>();
  for (const path of sources) {
    for (const match of read(path).matchAll(pattern)) raised.add(match[1] ?? "");
  }
  assert.ok(raised.size > 10, "the search for codes finds them");
  const documented = new Set(
    Array.from(
      read("docs/errors.md").matchAll(/^## `?([A-Z][A-Z0-9_]+)`?$/gm),
      (match) => match[1] ?? "",
    ),
  );
  const missing = [...raised].filter((code) => !documented.has(code)).toSorted();
  const stale = [...documented].filter((code) => !raised.has(code)).toSorted();
  assert.deepEqual({ missing, stale }, { missing: [], stale: [] });
});
