// What Kanboard's API can't set and a stack of its own must: the owner's password, settings of the application.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EXIT, Stop } from "./stop.ts";
import type { Layout } from "./layout.ts";

/** The account that every new Kanboard has, with its user name as password. */
const FIRST_ACCOUNT = 1;

export type OwnerPassword = "replaced" | "ours" | "changed";

/** Replaces the password that every Kanboard is born with; one that its owner has chosen since is left alone. */
export function replaceDefaultPassword(layout: Layout, password: string): OwnerPassword {
  return withDatabase(layout, (db) => {
    const row = db.prepare("SELECT password FROM users WHERE id = ?").get(FIRST_ACCOUNT);
    const hash = String(row?.["password"] ?? "");
    const said = php(layout, PASSWORD_SCRIPT, { hash, password });
    if (said === "ours" || said === "changed") return said;
    db.prepare("UPDATE users SET password = ? WHERE id = ?").run(said, FIRST_ACCOUNT);
    return "replaced";
  });
}

export function readSetting(layout: Layout, name: string): string {
  return withDatabase(layout, (db) => {
    const row = db.prepare("SELECT value FROM settings WHERE option = ?").get(name);
    return String(row?.["value"] ?? "");
  });
}

export function writeSetting(layout: Layout, name: string, value: string): void {
  withDatabase(layout, (db) => {
    const upsert =
      "INSERT INTO settings (option, value, changed_by, changed_on) VALUES (?, ?, 0, 0) ON CONFLICT(option) DO UPDATE SET value = excluded.value";
    db.prepare(upsert).run(name, value);
  });
}

export function databaseFile(layout: Layout): string {
  return join(layout.data("kanboard"), "db.sqlite");
}

function withDatabase<T>(layout: Layout, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(databaseFile(layout), { timeout: 10_000 });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const PASSWORD_SCRIPT = `
$in = json_decode(stream_get_contents(STDIN), true);
if (password_verify($in['password'], $in['hash'])) echo 'ours';
elseif (password_verify('admin', $in['hash'])) echo password_hash($in['password'], PASSWORD_BCRYPT);
else echo 'changed';`;

/** Through standard input, because arguments are visible to everybody on the machine. */
function php(layout: Layout, script: string, input: object): string {
  const program = join(layout.part("board"), "bin", "php");
  const run = spawnSync(program, ["-r", script], {
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  if (run.status !== 0)
    throw new Stop(EXIT.internal, "PHP could not check the owner's password", [run.stderr]);
  return run.stdout.trim();
}
