// What a command reads before it asks the board: the folder, the account, the configuration.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isFabricError } from "@agap/kb-client";
import { readEnvironment, type Surroundings } from "../entry/environment.ts";
import { readRules } from "./config-files.ts";
import { chooseCredential, tokenVariable } from "./credential.ts";
import { parseOnce } from "./parsed-cache.ts";

const root = mkdtempSync(join(tmpdir(), "door-"));
after(() => rmSync(root, { recursive: true }));

function surroundings(
  env: Surroundings["env"],
  cwd: string,
  self = "/nowhere/x.cjs",
): Surroundings {
  return { env, cwd, self, process: { parent: 0, boot: "b", read: () => null } };
}

test("the state folder is the given one, else the nearest upward, else the program's own", () => {
  const home = join(root, "project", ".fabric");
  const deep = join(root, "project", "a", "b");
  mkdirSync(join(home, "dist"), { recursive: true });
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(home, "board.yaml"), "");
  const self = join(home, "dist", "kb-claim.cjs");
  writeFileSync(self, "");
  assert.equal(readEnvironment(surroundings({ FABRIC_HOME: "x" }, "/y")).home, "/y/x");
  assert.equal(readEnvironment(surroundings({}, deep)).home, home);
  assert.equal(readEnvironment(surroundings({}, "/", self)).home, home);
  assert.equal(readEnvironment(surroundings({}, "/")).home, null);
});

test("a coding agent's session id names the session, unless FABRIC_SESSION does", () => {
  const env = { CLAUDE_CODE_SESSION_ID: "host-session" };
  assert.equal(readEnvironment(surroundings(env, "/")).session, "host-session");
  const both = { ...env, FABRIC_SESSION: "mine" };
  assert.equal(readEnvironment(surroundings(both, "/")).session, "mine");
});

test("the account is chosen among the tokens that this user holds", () => {
  assert.equal(tokenVariable("owner-cli.2"), "KANBOARD_TOKEN_OWNER_CLI_2");
  const file = "FABRIC_CLI_AGENT=owner-cli\nKANBOARD_TOKEN_OWNER_CLI=t1\nKANBOARD_TOKEN_OTHER=t2\n";
  const none = { account: undefined, tokens: {}, home: "/h" };
  assert.deepEqual(chooseCredential(none, file), { username: "owner-cli", token: "t1" });
  const other = { ...none, account: "other" };
  assert.deepEqual(chooseCredential(other, file), { username: "other", token: "t2" });
  const passed = { ...other, tokens: { KANBOARD_TOKEN_OTHER: "t3" } };
  assert.deepEqual(chooseCredential(passed, file), { username: "other", token: "t3" });
  for (const wrong of [{ ...none, account: "stranger" }, none]) {
    assert.throws(
      () => chooseCredential(wrong, wrong === none ? "" : file),
      (error) => isFabricError(error, "CLI_NO_CREDENTIAL"),
    );
  }
});

test("a queue's lease is that of the file its workers read", async () => {
  const home = join(root, "rules", ".fabric");
  const queues = join(root, "rules", "workers", "queues");
  mkdirSync(queues, { recursive: true });
  assert.equal((await readRules(home, "local")).leaseMs, 60_000);
  const yaml = "queue: local\nexecutor: { kind: noop }\nlease: 5m\nrequireScore: true\n";
  writeFileSync(join(queues, "local.yaml"), yaml);
  const rules = await readRules(home, "local");
  assert.deepEqual([rules.leaseMs, rules.requireScore], [300_000, true]);
  writeFileSync(join(queues, "local.yaml"), "lease: soon\n");
  await assert.rejects(readRules(home, "local"), (error) => isFabricError(error, "CONFIG_INVALID"));
});

test("a parsed file is parsed again only when its text or the program has changed", async () => {
  let parsed = 0;
  const folder = join(root, "cache");
  const ask = (text: string, build: string): Promise<number> =>
    parseOnce({ folder, build }, "board", text, async () => (parsed += 1));
  assert.deepEqual([await ask("a", "1"), await ask("a", "1")], [1, 1]);
  assert.deepEqual([await ask("b", "1"), await ask("b", "2"), await ask("b", "2")], [2, 3, 3]);
  writeFileSync(join(folder, "board.json"), "{ half");
  assert.equal(await ask("b", "2"), 4);
  assert.ok(readFileSync(join(folder, "board.json"), "utf8").endsWith("}"));
  const nowhere = parseOnce(
    { folder: join(folder, "board.json"), build: "1" },
    "x",
    "t",
    async () => 9,
  );
  assert.equal(await nowhere, 9);
});
