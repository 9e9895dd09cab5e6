// What is fetched is named by version and hash, and by no host.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { installedLiteLLM, refuseCompromised } from "./compromised.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const LOCKS = ["litellm.lock", "model.txt", "tools/uv.txt", "tools/node.txt"];

test("every package of a lock file has hashes, and no lock file names a host", () => {
  for (const name of LOCKS) {
    const text = read(name);
    const packages = text.split(/\n(?=[a-z])/);
    assert.ok(packages.length > 0);
    for (const entry of packages)
      assert.match(entry, /--hash=sha256:[0-9a-f]{64}/, `${name}: ${entry.slice(0, 60)}`);
    assert.doesNotMatch(text, /https?:|--index|--find-links|--extra-index/, name);
  }
});

test("the lock file's LiteLLM is no compromised release", () => {
  refuseCompromised(/^litellm==(\S+)/m.exec(read("litellm.lock"))?.[1] ?? null);
});

test("a compromised release is refused by the name of its folder, without starting its Python", (t) => {
  for (const version of ["1.82.7", "1.82.8", "1.107.0"]) {
    assert.throws(() => refuseCompromised(version), /compromised/);
  }
  const venv = mkdtempSync(join(tmpdir(), "fabric-venv-"));
  t.after(() => rmSync(venv, { recursive: true, force: true }));
  assert.equal(installedLiteLLM(venv), null);
  mkdirSync(join(venv, "lib", "python3.11", "site-packages", "litellm-1.82.8.dist-info"), {
    recursive: true,
  });
  assert.equal(installedLiteLLM(venv), "1.82.8");
});

test("the pnpm that is fetched is the one that package.json names", () => {
  const { packageManager } = JSON.parse(read("../../package.json")) as { packageManager: string };
  const version = packageManager.replace("pnpm@", "");
  for (const machine of ["x86_64", "aarch64"]) {
    assert.match(
      read("tools/pnpm.sha512"),
      new RegExp(`^${version.replaceAll(".", "\\.")} ${machine} \\w+ [0-9a-f]{128}$`, "m"),
    );
  }
});
