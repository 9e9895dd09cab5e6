// The arrows between the packages point one way: doors and daemons -> fabric -> kb-client.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";

const RANK: Record<string, number> = {
  "@agap/kb-client": 0,
  "@agap/fabric": 1,
  "@agap/model-plane": 1,
  "@agap/kb-claim": 2,
  "@agap/workers": 2,
  "@agap/scripts": 3,
  "@agap/test": 4,
};

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}

const root = new URL("..", import.meta.url);
const manifests = globSync(
  ["packages/*/package.json", "workers/package.json", "scripts/package.json", "test/package.json"],
  {
    cwd: root,
  },
).map((path) => JSON.parse(readFileSync(new URL(path, root), "utf8")) as Manifest);

test("every package has a rank", () => {
  assert.deepEqual(
    manifests.map((manifest) => manifest.name).toSorted(),
    Object.keys(RANK).toSorted(),
  );
});

test("a package depends only on packages below it, never on a sibling or a daemon", () => {
  for (const { name, dependencies } of manifests) {
    for (const dependency of Object.keys(dependencies ?? {})) {
      const rank = RANK[dependency];
      if (rank === undefined) continue;
      assert.ok(rank < (RANK[name] ?? 0), `${name} -> ${dependency}`);
    }
  }
});
