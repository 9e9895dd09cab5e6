// Sessions: the same shell is the same session, whatever stands between it and the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { parseStat, readProcess } from "./process-facts.ts";
import { type ProcessFacts, sessionName, type SessionSources } from "./shell-session.ts";

const shell: ProcessFacts = { pid: 10, parent: 1, started: "500", image: "a.b", command: "bash\0" };

function sources(
  processes: ProcessFacts[],
  parent: number,
  more: Partial<SessionSources> = {},
): SessionSources {
  const read = (pid: number): ProcessFacts | null =>
    processes.find((candidate) => candidate.pid === pid) ?? null;
  return { named: undefined, underPackageManager: false, parent, boot: "h/b", read, ...more };
}

test("a named session is taken as it is when it is safe as a file name, hashed otherwise", () => {
  assert.equal(sessionName(sources([], 1, { named: "desk-1" })), "desk-1");
  assert.match(sessionName(sources([], 1, { named: "../../etc/x" })), /^[0-9a-z]{1,11}$/);
});

test("two shells differ, and so does a shell that got the pid of an old one, or the same pid after a boot", () => {
  const names = [
    sessionName(sources([shell], 10)),
    sessionName(sources([{ ...shell, pid: 11 }], 11)),
    sessionName(sources([{ ...shell, started: "900" }], 10)),
    sessionName(sources([shell], 10, { boot: "h/c" })),
  ];
  assert.equal(new Set(names).size, names.length);
});

test("a subshell of a shell is that shell; another program below it is not", () => {
  const subshell = { ...shell, pid: 20, parent: 10, started: "700" };
  const script = { ...subshell, image: "c.d" };
  const direct = sessionName(sources([shell], 10));
  assert.equal(sessionName(sources([shell, subshell], 20)), direct);
  assert.notEqual(sessionName(sources([shell, script], 20)), direct);
});

test("below a package manager the shell above it counts", () => {
  const pnpm = {
    pid: 30,
    parent: 10,
    started: "1",
    image: "e.f",
    command: "node\0/opt/bin/pnpm\0kb-claim\0take\0",
  };
  const sh = {
    pid: 31,
    parent: 30,
    started: "2",
    image: "g.h",
    command: "sh\0-c\0node packages/kb-claim/src/main.ts\0",
  };
  const under = sources([shell, pnpm, sh], 31, { underPackageManager: true });
  assert.equal(sessionName(under), sessionName(sources([shell], 10)));
});

test("the kernel's line is read from behind the program's name", () => {
  const stat = `7 (a) b (c)) S 5 ${Array.from({ length: 40 }, (_, i) => i + 5).join(" ")}`;
  assert.deepEqual(parseStat(7, stat, "x\0"), {
    pid: 7,
    parent: 5,
    started: "22",
    image: "26.28",
    command: "x\0",
  });
});

test(
  "a real subshell shares the image of its shell, a script does not",
  { skip: process.platform === "linux" ? false : "needs /proc" },
  () => {
    const look = `const {readProcess} = await import(process.argv[1]); const me = readProcess(process.ppid); const above = readProcess(me.parent); console.log(me.image !== "" && me.image === above.image)`;
    const node = [
      process.execPath,
      "--input-type=module",
      "-e",
      look,
      import.meta.resolve("./process-facts.ts"),
    ];
    const quoted = node.map((word) => `'${word}'`).join(" ");
    const run = (script: string): string =>
      execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim();
    assert.equal(run(`x=$(${quoted} | cat); echo $x`), "true");
    assert.equal(run(`${quoted}; true`), "false");
    assert.equal(readProcess(process.pid)?.parent, process.ppid);
  },
);
