// Starts a Kanboard of our own: PHP's built-in server over the unpacked tree, everything set by the environment, so
// that several instances run from one tree.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, closeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type Clock,
  FabricError,
  getVersion,
  HttpTransport,
  isFabricError,
  KanboardClient,
  systemClock,
  systemRandom,
} from "@agap/kb-client";

export interface KanboardParts {
  /** The launcher of PHP. */
  php: string;
  /** The folder with jsonrpc.php. */
  tree: string;
}

export interface KanboardStart {
  /** Folder of the parts; see `findKanboardParts`. */
  parts: string;
  /** Made when missing; holds the database, the files and the log. */
  dataDir: string;
  port: number;
  /** Address to bind; loopback by default. */
  listen?: string;
  apiToken: string;
  /** Requests served at the same time; 4. */
  workers?: number;
  /** More of Kanboard's settings, such as API_AUTHENTICATION_HEADER or DB_DRIVER. */
  env?: Record<string, string>;
  /** File for PHP's output, appended to; DATA/server.log by default. */
  logFile?: string;
}

export interface RunningKanboard {
  /** Leads a process group of its own: the built-in server's workers outlive a master that is killed alone. */
  pid: number;
  url: string;
  stop(): Promise<void>;
}

/** PHP and Kanboard below `parts` or `parts/board`; null when they are not there. */
export function findKanboardParts(parts: string): KanboardParts | null {
  for (const folder of [join(parts, "board"), parts]) {
    const php = join(folder, "bin", "php");
    const tree = join(folder, "kanboard");
    if (existsSync(php) && existsSync(join(tree, "jsonrpc.php"))) return { php, tree };
  }
  return null;
}

/** Returns when the process runs, not when it answers: see `waitForKanboard`. */
export function startKanboard(start: KanboardStart): RunningKanboard {
  const parts = findKanboardParts(start.parts);
  if (!parts) throw new Error(`no PHP and Kanboard below ${start.parts}`);
  const { dataDir, port } = start;
  const listen = start.listen ?? "127.0.0.1";
  for (const folder of ["files", "cache", "plugins", "sessions"]) {
    mkdirSync(join(dataDir, folder), { recursive: true, mode: 0o700 });
  }
  const log = openSync(start.logFile ?? join(dataDir, "server.log"), "a", 0o600);
  const child = spawn(parts.php, phpArguments(start, parts, `${listen}:${port}`), {
    cwd: parts.tree,
    env: kanboardEnvironment(start),
    stdio: ["ignore", log, log],
    detached: true,
  });
  closeSync(log);
  child.unref();
  if (child.pid === undefined) throw new Error(`${parts.php} could not be started`);
  const { pid } = child;
  const host = listen === "0.0.0.0" ? "127.0.0.1" : listen;
  return { pid, url: `http://${host}:${port}`, stop: () => stopKanboard(pid, child) };
}

function phpArguments(start: KanboardStart, parts: KanboardParts, address: string): string[] {
  const settings = {
    // A warning printed into the answer would make it no JSON.
    display_errors: "0",
    log_errors: "1",
    "session.save_path": join(start.dataDir, "sessions"),
    upload_max_filesize: "32M",
    post_max_size: "32M",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-d", `${name}=${value}`]);
  return [...options, "-S", address, "-t", parts.tree];
}

/** Kanboard takes all of it with getenv; nothing of the caller's environment but the machine's basics goes in. */
function kanboardEnvironment(start: KanboardStart): Record<string, string> {
  const { dataDir } = start;
  return {
    PATH: "/usr/bin:/bin",
    TZ: "UTC",
    DATA_DIR: dataDir,
    FILES_DIR: join(dataDir, "files"),
    CACHE_DIR: join(dataDir, "cache"),
    PLUGINS_DIR: join(dataDir, "plugins"),
    DB_WAL_MODE: "true",
    LOG_DRIVER: "stderr",
    API_AUTHENTICATION_TOKEN: start.apiToken,
    PHP_CLI_SERVER_WORKERS: `${start.workers ?? 4}`,
    ...start.env,
  };
}

/** Ends the server and its workers by the id of their process group. */
async function stopKanboard(pid: number, child?: ChildProcess): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!signalGroup(pid, signal)) return;
    for (let tries = 0; tries < 100; tries += 1) {
      await systemClock.sleep(20);
      if (child && child.exitCode === null && child.signalCode === null) continue;
      if (!signalGroup(pid, 0)) return;
    }
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Asks until the API answers; the first answer on an empty folder comes after the database is made (about a second).
 * @throws FabricError of the last try: `KB_UNAUTHORIZED` when another Kanboard has the port
 */
export async function waitForKanboard(
  kanboard: { url: string; apiToken: string },
  options: { timeoutMs?: number; signal?: AbortSignal; clock?: Clock } = {},
): Promise<{ version: string }> {
  const clock = options.clock ?? systemClock;
  const transport = new HttpTransport({
    url: kanboard.url,
    auth: { kind: "app", token: kanboard.apiToken },
    timeoutMs: 10_000,
  });
  const client = new KanboardClient(transport, { clock, random: systemRandom });
  const until = clock.monotonic() + (options.timeoutMs ?? 30_000);
  try {
    for (;;) {
      try {
        const version = await client.call(getVersion(), {
          purpose: "setup",
          signal: options.signal,
        });
        return { version };
      } catch (error) {
        const fatal = !isFabricError(error) || error.code === "KB_UNAUTHORIZED";
        if (fatal || clock.monotonic() > until) throw error;
      }
      await clock.sleep(100, options.signal);
    }
  } finally {
    transport.close();
  }
}

/**
 * Gives an account an API token; Kanboard's API can't. Also closes its login form: with the form open every call
 * checks the token as a password first, 67 ms of bcrypt instead of 11 ms.
 * @param dbFile the SQLite file; the server may run
 */
export function setUserToken(dbFile: string, username: string, token: string): void {
  const db = new DatabaseSync(dbFile, { timeout: 10_000 });
  try {
    const update = db.prepare(
      "UPDATE users SET api_access_token = ?, disable_login_form = 1 WHERE username = ?",
    );
    const { changes } = update.run(token, username);
    if (Number(changes) === 1) return;
  } finally {
    db.close();
  }
  throw new FabricError(`there is no account ${username} in ${dbFile}`, {
    code: "STACK_NO_ACCOUNT",
    retryable: "no",
    hint: "Create the account through the API first.",
  });
}
