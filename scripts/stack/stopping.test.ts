// scripts/down and scripts/status: exactly what was started, and nothing that merely has its number.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { startTicks } from "./process-record.ts";

const script = (name: string): string => new URL(`../${name}`, import.meta.url).pathname;

function stateFolder(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), "fabric-down-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "run"));
  writeFileSync(join(home, "fabric-state"), "");
  return home;
}

/** A process that leads a group of its own, as everything that scripts/up starts. */
function sleeper(t: TestContext): number {
  const child = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  const { pid } = child;
  assert.ok(pid);
  t.after(() => child.kill("SIGKILL"));
  return pid;
}

function record(home: string, name: string, pid: number, ticks: string | null): void {
  const entry = {
    name,
    pid,
    startTicks: ticks,
    address: "http://127.0.0.1:8090",
    version: "1.2.51 on PHP 8.4",
    log: join(home, "log", `${name}.log`),
    fingerprint: "f",
  };
  writeFileSync(join(home, "run", `${name}.json`), `${JSON.stringify(entry, null, 2)}\n`);
}

function run(name: string, home: string, ...args: string[]): { code: number | null; said: string } {
  const done = spawnSync("bash", [script(name), ...args], {
    encoding: "utf8",
    env: { ...process.env, FABRIC_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { code: done.status, said: done.stdout + done.stderr };
}

test("down stops a recorded process and forgets it", (t) => {
  const home = stateFolder(t);
  const pid = sleeper(t);
  record(home, "llama", pid, startTicks(pid));
  assert.match(
    run("status", home).said,
    new RegExp(`llama +up +${pid} +http://127\\.0\\.0\\.1:8090 +1\\.2\\.51 on PHP 8\\.4`),
  );
  assert.match(run("down", home).said, /llama stopped/);
  assert.equal(startTicks(pid), null);
  assert.ok(!existsSync(join(home, "run", "llama.json")));
});

test("down leaves a process alone that has got the number of an old one", (t) => {
  const home = stateFolder(t);
  const pid = sleeper(t);
  record(home, "llama", pid, "12");
  assert.match(run("status", home).said, /llama +down/);
  assert.equal(run("down", home).code, 0);
  assert.notEqual(startTicks(pid), null);
});

test("status answers JSON, and by its exit code whether everything is up", (t) => {
  const home = stateFolder(t);
  const pid = sleeper(t);
  record(home, "kanboard", pid, startTicks(pid));
  const { code, said } = run("status", home, "--json");
  assert.equal(code, 1);
  const parts = JSON.parse(said) as { part: string; state: string; pid: number | null }[];
  assert.deepEqual(
    parts.map(({ part, state, pid: id }) => [part, state, id]),
    [
      ["kanboard", "up", pid],
      ["litellm", "down", null],
      ["llama", "down", null],
      ["worker-local", "down", null],
    ],
  );
  for (const name of ["litellm", "llama", "worker-local"]) record(home, name, pid, startTicks(pid));
  assert.equal(run("status", home).code, 0);
});

test("purge asks, removes only a state folder, and says when there is none", (t) => {
  const home = stateFolder(t);
  assert.equal(run("down", home, "--purge").code, 77);
  assert.ok(existsSync(home));
  assert.equal(run("down", home, "--purge", "--yes").code, 0);
  assert.ok(!existsSync(home));
  assert.equal(run("down", home).code, 0);
  const other = mkdtempSync(join(tmpdir(), "fabric-other-"));
  t.after(() => rmSync(other, { recursive: true, force: true }));
  assert.equal(run("down", other, "--purge", "--yes").code, 73);
  assert.ok(existsSync(other));
});
