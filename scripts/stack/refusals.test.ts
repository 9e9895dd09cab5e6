// scripts/up on machines that it can't run on: a stable exit code, a way out, and nothing left behind.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test, type TestContext } from "node:test";

const up = new URL("../up", import.meta.url).pathname;

interface Machine {
  /** Programs that answer differently here: name -> shell script. */
  programs?: Record<string, string>;
  env?: Record<string, string>;
  args?: string[];
}

function runUp(
  t: TestContext,
  machine: Machine,
): { code: number | null; said: string; home: string } {
  const folder = mkdtempSync(join(tmpdir(), "fabric-up-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(machine.programs ?? {})) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const home = join(folder, "state");
  const run = spawnSync("bash", [up, ...(machine.args ?? [])], {
    encoding: "utf8",
    env: {
      PATH: `${bin}${delimiter}${process.env["PATH"]}`,
      HOME: folder,
      FABRIC_HOME: home,
      // Ports that nothing listens on, whatever else runs on this machine.
      FABRIC_KANBOARD_PORT: "1",
      FABRIC_LITELLM_PORT: "2",
      FABRIC_LLAMA_PORT: "3",
      ...machine.env,
    },
  });
  return { code: run.status, said: run.stdout + run.stderr, home };
}

function refuses(t: TestContext, machine: Machine, code: number, ...wanted: RegExp[]): void {
  const { code: got, said, home } = runUp(t, machine);
  assert.equal(got, code, said);
  for (const pattern of wanted) assert.match(said, pattern);
  assert.ok(!existsSync(home), "no state folder is left");
}

const uname = (system: string, machine: string): string =>
  `case $1 in -s) echo ${system};; -m) echo ${machine};; *) echo ${system} ${machine};; esac`;
const WAYS_OUT = [/--kanboard/, /--litellm/, /Docker/];

test("--help names every option and variable and changes nothing", (t) => {
  refuses(
    t,
    { args: ["--help"] },
    0,
    /--listen/,
    /--kanboard/,
    /--litellm/,
    /FABRIC_KANBOARD_PORT/,
    /Exit codes/,
  );
});

test("an unknown option, a missing value and half a pair of options are usage errors", (t) => {
  refuses(t, { args: ["--bogus"] }, 64, /--bogus/);
  refuses(t, { args: ["--listen"] }, 64, /--listen/);
  refuses(t, { args: ["--kanboard", "http://board"] }, 64, /--token/);
  refuses(t, { args: ["--litellm", "http://proxy"] }, 64, /--key/);
  refuses(t, { args: ["--kanboard", "board", "--token", "t"] }, 64, /http/);
  refuses(t, { env: { FABRIC_LLAMA_PORT: "99999" } }, 64, /FABRIC_LLAMA_PORT/);
});

test("macOS is refused and told what works there", (t) => {
  refuses(t, { programs: { uname: uname("Darwin", "arm64") } }, 71, /Darwin/, ...WAYS_OUT);
});

test("a 32-bit processor, a 32-bit system and another C library are refused and told what works", (t) => {
  refuses(t, { programs: { uname: uname("Linux", "armv7l") } }, 71, /armv7l/, ...WAYS_OUT);
  const bits = 'case $1 in LONG_BIT) echo 32;; *) echo "glibc 2.36";; esac';
  refuses(t, { programs: { getconf: bits } }, 71, /32-bit/, ...WAYS_OUT);
  const musl = "case $1 in LONG_BIT) echo 64;; *) exit 1;; esac";
  refuses(t, { programs: { getconf: musl } }, 71, /glibc/, ...WAYS_OUT);
});

test("Ubuntu is told to name a Debian mirror", (t) => {
  const apt = 'echo "http://archive.example/ubuntu"';
  refuses(t, { programs: { "apt-get": apt } }, 71, /DEBIAN_MIRROR/, ...WAYS_OUT);
});

test("too little disk or memory is refused with what is needed", (t) => {
  const df = "printf 'Filesystem 1M-blocks Used Available\\nx 100 90 10 90%% /\\n'";
  refuses(t, { programs: { df } }, 72, /disk +need +\d+ MB +have +10 MB/, /FABRIC_HOME/);
});

test("a mirror that does not answer is refused before anything is fetched", (t) => {
  refuses(
    t,
    { env: { DEBIAN_MIRROR: "http://127.0.0.1:9/debian" } },
    69,
    /127\.0\.0\.1:9/,
    /DEBIAN_MIRROR/,
    /Proxy/,
  );
});

test("a taken port is refused with the variable that changes it", async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? `${address.port}` : "";
  refuses(t, { env: { FABRIC_LITELLM_PORT: port } }, 76, /FABRIC_LITELLM_PORT=/, new RegExp(port));
});

test("a folder with something else in it is not used", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "fabric-other-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "thesis.txt"), "");
  const { code, said } = runUp(t, { env: { FABRIC_HOME: folder } });
  assert.equal(code, 73, said);
  assert.deepEqual(readdirSync(folder), ["thesis.txt"]);
});
