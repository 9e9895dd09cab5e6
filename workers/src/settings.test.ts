// What a worker is told, and where it is missing something.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { formatBoardConfig } from "@agap/fabric";
import { isFabricError } from "@agap/kb-client";
import { exitCodeOf } from "./exit-codes.ts";
import { readSettings } from "./settings.ts";

const home = mkdtempSync(join(tmpdir(), "worker-"));
after(() => rmSync(home, { recursive: true }));
const columns = { backlog: 1, ready: 2, wip: 3, done: 4 };
const board = formatBoardConfig({
  url: "http://127.0.0.1:8090",
  ledger: { uuid: "0".repeat(32), firstProject: 1, shards: 8 },
  queues: { local: { project: 9, columns } },
  inboxes: {},
});
writeFileSync(join(home, "board.yaml"), board);
writeFileSync(
  join(home, ".env"),
  "KANBOARD_TOKEN_WORKER_LOCAL=from-file\nLITELLM_URL=http://127.0.0.1:4010\nLITELLM_MASTER_KEY=sk-1\n",
);

function codeOf(work: () => unknown): [string, number] {
  try {
    work();
  } catch (error) {
    if (isFabricError(error)) return [error.code, exitCodeOf(error)];
    throw error;
  }
  throw new assert.AssertionError({ message: "it should have failed" });
}

test("the account follows from the queue, its token from the account", () => {
  const settings = readSettings(["--queue", "local"], { FABRIC_HOME: home });
  assert.equal(settings.agent, "worker-local");
  assert.equal(settings.token, "from-file");
  assert.deepEqual(settings.litellm(), { url: "http://127.0.0.1:4010", key: "sk-1" });
  assert.equal(settings.queue.grace, 20_000);
});

test("the environment wins over the file, the command line over the environment", () => {
  const env = {
    FABRIC_HOME: home,
    FABRIC_AGENT: "b",
    KANBOARD_TOKEN_A_1: "from-env",
    KANBOARD_URL: "http://127.0.0.1:1",
  };
  const settings = readSettings(["--queue", "local", "--agent", "a.1"], env);
  assert.deepEqual([settings.agent, settings.token], ["a.1", "from-env"]);
  assert.equal(settings.board.url, "http://127.0.0.1:1");
});

test("a queue file in the state folder goes before the repository's", () => {
  mkdirSync(join(home, "queues"));
  writeFileSync(join(home, "queues", "local.yaml"), "queue: local\nexecutor: { kind: noop }\n");
  const settings = readSettings(["--queue", "local"], { FABRIC_HOME: home });
  assert.equal(settings.queue.executor.kind, "noop");
  rmSync(join(home, "queues"), { recursive: true });
});

test("what is wrong or missing has its own code", () => {
  const env = { FABRIC_HOME: home };
  const config = join(home, "odd.yaml");
  writeFileSync(config, "queue: local\nexecutor: { kind: noop }\nslot: 3\n");
  assert.deepEqual(
    [
      codeOf(() => readSettings([], env)),
      codeOf(() => readSettings(["--queue", "local", "--slots", "3"], env)),
      codeOf(() => readSettings(["--queue", "local"], { FABRIC_HOME: join(home, "no") })),
      codeOf(() => readSettings(["--queue", "local", "--agent", "stranger"], env)),
      codeOf(() => readSettings(["--queue", "local", "--config", config], env)),
      codeOf(() => readSettings(["--queue", "nowhere"], env)),
    ],
    [
      ["WORKER_USAGE", 64],
      ["WORKER_USAGE", 64],
      ["WORKER_NOT_SET_UP", 65],
      ["WORKER_NO_CREDENTIAL", 77],
      ["CONFIG_INVALID", 65],
      ["CONFIG_INVALID", 65],
    ],
  );
});

test("an executor that calls no model needs no address of one", () => {
  const bare = mkdtempSync(join(tmpdir(), "worker-"));
  writeFileSync(join(bare, "board.yaml"), board);
  writeFileSync(join(bare, ".env"), "KANBOARD_TOKEN_WORKER_LOCAL=t\n");
  const settings = readSettings(["--queue", "local"], { FABRIC_HOME: bare });
  assert.deepEqual(codeOf(settings.litellm), ["WORKER_NO_CREDENTIAL", 77]);
  rmSync(bare, { recursive: true });
});
