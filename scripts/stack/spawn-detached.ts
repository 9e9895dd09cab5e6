// Starts a program that outlives scripts/up: its own session, output to its log, loopback never through a proxy.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { EXIT, Stop } from "./stop.ts";

interface Detached {
  program: string;
  args: readonly string[];
  cwd?: string;
  env: NodeJS.ProcessEnv;
  log: string;
}

const LOG_BYTES = 10_000_000;

export function spawnDetached(detached: Detached): number {
  const { program, args, cwd, env, log } = detached;
  if (existsSync(log) && statSync(log).size > LOG_BYTES) renameSync(log, `${log}.1`);
  const output = openSync(log, "a", 0o600);
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  // Reported by the exit of the process: who waits for it sees that it is gone.
  child.on("error", () => {});
  child.unref();
  if (child.pid === undefined) throw new Stop(EXIT.internal, `${program} could not be started`);
  return child.pid;
}

const LOOPBACK = ["127.0.0.1", "localhost", "::1"];
/** Of the set-up itself, or misleading to a Python and a Node of our own. */
const DROPPED =
  /^(PYTHON|PIP_|UV_|npm_|NODE_OPTIONS$|NODE_COMPILE_CACHE$|VIRTUAL_ENV$|APT_CONFIG$|LITELLM_|OPENAI_)/;

/** The caller's environment without what only the set-up uses. */
export function serviceEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !DROPPED.test(name));
  const given = process.env["no_proxy"] ?? process.env["NO_PROXY"] ?? "";
  const direct = [...new Set([...given.split(",").filter(Boolean), ...LOOPBACK])].join(",");
  return { ...Object.fromEntries(kept), NO_PROXY: direct, no_proxy: direct, ...more };
}
