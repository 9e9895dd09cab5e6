// An empty Debian: the smallest root that debootstrap makes, with this checkout and this machine's package configuration.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyMachineConfiguration } from "./machine-configuration.ts";

const repo = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
/** Kept between runs, because debootstrap takes 40 s. */
const cache = join(repo, ".fabric", "test-roots");

/** Why there can be no such root here, or false. */
export function whyNoRoot(): string | false {
  if (process.getuid?.() !== 0) return "only root can make and enter an empty Debian root";
  if (spawnSync("debootstrap", ["--version"]).error) return "debootstrap is not installed";
  if (machineMirror() === null) return "this machine's package sources name no Debian mirror";
  if (spawnSync("unshare", ["--mount", "--pid", "--fork", "--net", "true"]).status !== 0) {
    return "this machine allows no namespaces";
  }
  return false;
}

function machineMirror(): string | null {
  if (process.env["DEBIAN_MIRROR"]) return process.env["DEBIAN_MIRROR"];
  const format = ["--format", "$(SITE)", "Created-By: Packages"];
  const said = spawnSync("apt-get", ["indextargets", ...format], { encoding: "utf8" }).stdout;
  return said.split("\n").find((site) => /\/debian\/?$/.test(site)) ?? null;
}

/** A fresh root with this checkout in the user's home folder; remove it with `removeRoot`. */
export function makeRoot(suite: string, user: "root" | "tester"): string {
  const base = bringBase(suite);
  const root = mkdtempSync(join(cache, `run-${suite}-`));
  execFileSync("cp", ["--archive", "--reflink=auto", `${base}/.`, root]);
  if (user !== "root")
    execFileSync("chroot", [root, "useradd", "--create-home", "--shell", "/bin/bash", user]);
  copyMachineConfiguration(root, homeOf(user), user);
  copyCheckout(root, user);
  return root;
}

export function removeRoot(root: string): void {
  rmSync(root, { recursive: true, force: true });
}

function homeOf(user: string): string {
  return user === "root" ? "/root" : `/home/${user}`;
}

function bringBase(suite: string): string {
  const base = join(cache, suite);
  if (existsSync(base)) return base;
  mkdirSync(cache, { recursive: true });
  const made = `${base}.new`;
  rmSync(made, { recursive: true, force: true });
  execFileSync("debootstrap", ["--variant=minbase", suite, made, machineMirror() ?? ""], {
    stdio: "ignore",
  });
  renameSync(made, base);
  return base;
}

/** What git knows or would add, as a clone has it. */
function copyCheckout(root: string, user: string): void {
  const to = join(root, homeOf(user), "fabric");
  mkdirSync(to, { recursive: true });
  const options = { cwd: repo, maxBuffer: 2 ** 28 };
  const names = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    options,
  ).toString();
  const there = names.split("\0").filter((name) => name !== "" && existsSync(join(repo, name)));
  const tar = execFileSync("tar", ["-cf", "-", "--null", "-T", "-"], {
    ...options,
    input: there.join("\0"),
  });
  execFileSync("tar", ["-xf", "-", "-C", to], { input: tar });
  execFileSync("chroot", [root, "chown", "-R", `${user}:`, homeOf(user)]);
}
