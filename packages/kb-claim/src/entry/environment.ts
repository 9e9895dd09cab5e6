// What the environment says, read once at the entry. Nothing else in this package looks at process.env.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sessionName, type SessionSources } from "./shell-session.ts";

export interface Environment {
  /** The state folder; null when none was found. */
  home: string | null;
  /** The account that FABRIC_AGENT asks for; else the state folder's `.env` says. */
  account: string | undefined;
  /** Queue taken where none is given. */
  queue: string | undefined;
  /** KANBOARD_TOKEN_… from the environment, before those of `.env`. */
  tokens: Readonly<Record<string, string | undefined>>;
  session: string;
  /** A proxy is set: plain connections are then made by the library that knows proxies. */
  hasProxy: boolean;
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Path of this program. */
  self: string;
  process: Omit<SessionSources, "named" | "underPackageManager">;
}

export function readEnvironment({ env, cwd, self, process }: Surroundings): Environment {
  const named = env["FABRIC_SESSION"] || env["CLAUDE_CODE_SESSION_ID"];
  const proxies = ["http_proxy", "https_proxy", "all_proxy"];
  return {
    home: findHome(env["FABRIC_HOME"], cwd, self),
    account: env["FABRIC_AGENT"] || undefined,
    queue: env["FABRIC_QUEUE"] || undefined,
    tokens: Object.fromEntries(
      Object.entries(env).filter(([name]) => name.startsWith("KANBOARD_TOKEN_")),
    ),
    session: sessionName({
      ...process,
      named,
      underPackageManager: env["npm_lifecycle_event"] !== undefined,
    }),
    hasProxy: proxies.some((name) => env[name] || env[name.toUpperCase()]),
  };
}

/** The given folder, else the nearest `.fabric` upward, else the one that this program was installed into. */
function findHome(given: string | undefined, cwd: string, self: string): string | null {
  if (given !== undefined && given !== "") return resolve(cwd, given);
  return nearest(cwd) ?? nearest(realDirectory(self));
}

function nearest(from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const home = join(folder, ".fabric");
    if (existsSync(join(home, "board.yaml"))) return home;
    if (dirname(folder) === folder) return null;
  }
}

function realDirectory(path: string): string {
  try {
    return dirname(realpathSync(path));
  } catch {
    return dirname(path);
  }
}
