// Lease files: private, atomic, and never shared between two sessions.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { isFabricError } from "@agap/kb-client";
import type { LeaseFile } from "./lease-file.ts";
import { LeaseStore } from "./lease-store.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "leases-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function lease(session: string, task = 7): LeaseFile {
  const card = { id: task, projectId: 1, columnId: 2, dateCreation: 100, title: "t" };
  return {
    v: 1,
    state: "intended",
    queue: "local",
    task: card as unknown as LeaseFile["task"],
    key: "t7-2s" as LeaseFile["key"],
    nonce: "0123456789" as LeaseFile["nonce"],
    agent: "a1",
    session,
    sentAt: { wall: 1, boot: "h/b", sinceBoot: 1 },
  };
}

test("a lease is read back as it was written, by its own session only", async () => {
  const mine = new LeaseStore(home, "a1", "s1");
  const other = new LeaseStore(home, "a1", "s2");
  await mine.write(lease("s1"));
  await other.write(lease("s2"));
  assert.deepEqual(await mine.mine(), [lease("s1")]);
  assert.equal((await mine.all()).length, 2);
  assert.deepEqual(await new LeaseStore(home, "a2", "s1").all(), []);
});

test("file and folders are for their owner alone, whatever the umask says", async () => {
  const before = process.umask(0);
  try {
    await new LeaseStore(home, "a1", "s1").write(lease("s1"));
  } finally {
    process.umask(before);
  }
  const folder = join(home, "leases", "a1");
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), ["local-7-s1.json"]);
  assert.equal(statSync(join(folder, "local-7-s1.json")).mode & 0o777, 0o600);
});

test("writing again replaces, removing twice is no fault", async () => {
  const store = new LeaseStore(home, "a1", "s1");
  await store.write(lease("s1"));
  await store.write({ ...lease("s1"), nonce: "abcdefghij" as LeaseFile["nonce"] });
  assert.deepEqual(
    (await store.mine()).map((entry) => entry.nonce),
    ["abcdefghij"],
  );
  await store.remove(lease("s1"));
  await store.remove(lease("s1"));
  assert.deepEqual(await store.mine(), []);
});

test("a half-written or foreign file is passed over", async () => {
  const store = new LeaseStore(home, "a1", "s1");
  await store.write(lease("s1"));
  const folder = join(home, "leases", "a1");
  writeFileSync(join(folder, "local-8-s1.json"), '{"v":1,"state":"held","que');
  writeFileSync(join(folder, "local-9-s1.json"), '{"v":2}');
  writeFileSync(join(folder, "notes.txt"), "mine");
  assert.equal((await store.all()).length, 1);
});

test("a folder that can't be written is a clear fault", async () => {
  writeFileSync(join(home, "leases"), "a file in the way");
  await assert.rejects(new LeaseStore(home, "a1", "s1").write(lease("s1")), (error) =>
    isFabricError(error, "LEASE_UNWRITABLE"),
  );
});
