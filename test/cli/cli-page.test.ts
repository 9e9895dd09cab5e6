// docs/cli.md is what the commands say of themselves.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { COMMANDS, VERSION } from "@agap/kb-claim";
import { cliPage } from "../../packages/kb-claim/cli-page.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("docs/cli.md is generated from the commands", async () => {
  assert.equal(read("docs/cli.md"), await cliPage());
});

test("every verb has its help with at least one example", async () => {
  const page = read("docs/cli.md");
  for (const verb of Object.keys(COMMANDS)) {
    const section = page.split(`\n## ${verb}\n`)[1]?.split("\n## ")[0] ?? "";
    assert.match(section, new RegExp(`Examples:\\n\\s+.*kb-claim ${verb}`), verb);
  }
});

test("the version is that of the manifest", () => {
  const { version } = JSON.parse(read("packages/kb-claim/package.json")) as { version: string };
  assert.equal(VERSION, version);
});
