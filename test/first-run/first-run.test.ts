// One command on an empty Debian: as a plain user and as root, again, without network, and after being killed on the way.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeRoot, removeRoot, whyNoRoot } from "./debian-root.ts";
import { firstRunPage } from "./page.ts";
import { runScenario, type Step, type StepResult } from "./run-scenario.ts";

const skip = whyNoRoot();
const suites = (process.env["FABRIC_FIRST_RUN_SUITES"] ?? "bookworm").split(/\s+/).filter(Boolean);

async function inRoot(
  suite: string,
  user: "root" | "tester",
  steps: readonly Step[],
): Promise<(name: string) => StepResult> {
  const root = makeRoot(suite, user);
  try {
    const results = await runScenario(root, user, steps);
    return (name) => {
      const result = results.get(name);
      assert.ok(result, `no step ${name}`);
      return result;
    };
  } finally {
    removeRoot(root);
  }
}

function succeeded(result: StepResult): void {
  assert.equal(result.exitCode, 0, result.output);
}

for (const suite of suites) {
  test(
    `on an empty Debian ${suite} a plain user is up in one command, and again without network`,
    { skip },
    async () => {
      const step = await inRoot(suite, "tester", [
        { name: "mark", network: "online", command: "touch ~/before" },
        { name: "first", network: "online", command: "scripts/up" },
        { name: "mode", network: "online", command: "stat -c %a .fabric/.env" },
        { name: "status", network: "online", command: "scripts/status" },
        { name: "launcher", network: "online", command: ".fabric/bin/kb-claim --version" },
        { name: "again", network: "online", command: "scripts/up" },
        { name: "down", network: "online", command: "scripts/down" },
        { name: "stopped", network: "online", command: "scripts/status" },
        {
          name: "offline",
          network: "offline",
          command: "scripts/up && scripts/status && scripts/down",
        },
        {
          name: "outside",
          network: "offline",
          command:
            "find / -xdev -newer ~/before -user tester -type f -not -path '/proc/*' -not -path \"$HOME/fabric/*\" 2> /dev/null | head -20",
        },
        { name: "purge", network: "offline", command: "scripts/down --purge --yes && ls -A" },
      ]);
      for (const name of ["first", "status", "launcher", "again", "down", "offline", "purge"])
        succeeded(step(name));
      assert.match(step("first").output, /✅/, "the example's answer is shown");
      assert.match(step("first").output, /Board +http:\/\/127\.0\.0\.1:\d+\//);
      assert.equal(step("mode").output.trim(), "600");
      assert.equal(step("stopped").exitCode, 1);
      assert.ok(
        !/Fetching/.test(step("offline").output),
        "nothing is fetched when everything is there",
      );
      assert.equal(step("outside").output.trim(), "", "nothing is touched outside of the checkout");
      assert.ok(!step("purge").output.split("\n").includes(".fabric"));
      assert.ok(step("first").seconds < 300, `first run took ${step("first").seconds} s`);
      assert.ok(
        step("offline").seconds < 45,
        `start, status and stop took ${step("offline").seconds} s`,
      );
      const [first, again, offline, down] = ["first", "again", "offline", "down"].map(step);
      if (process.env["FABRIC_WRITE_DOCS"] && first && again && offline && down) {
        const page = firstRunPage({ suite, first, again, offline, down });
        writeFileSync(new URL("../../docs/first-run.md", import.meta.url), page);
      }
    },
  );

  test(
    `on an empty Debian ${suite} root is up after runs that were killed on the way`,
    { skip },
    async () => {
      const killed = [6, 14, 25, 40].map((seconds, i): Step => {
        const signal = i % 2 === 0 ? "KILL" : "INT";
        return {
          name: `killed-${seconds}`,
          network: "online",
          command: `timeout --signal=${signal} ${seconds} scripts/up`,
        };
      });
      const step = await inRoot(suite, "root", [
        ...killed,
        { name: "up", network: "online", command: "scripts/up" },
        { name: "status", network: "online", command: "scripts/status" },
        { name: "down", network: "online", command: "scripts/down" },
        {
          name: "left",
          network: "online",
          command:
            'ls -d /proc/[0-9]*/exe | while read -r exe; do readlink "$exe"; done | grep /fabric/ || true',
        },
      ]);
      for (const name of ["up", "status", "down"]) succeeded(step(name));
      assert.equal(step("left").output.trim(), "", "no process of the stack is left");
    },
  );
}
