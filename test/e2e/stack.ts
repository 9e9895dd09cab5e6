// The stack that scripts/up has started, as the end-to-end tests find it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parse } from "yaml";
import { until } from "./outside-view.ts";

export interface Stack {
  home: string;
  env: Record<string, string>;
  boardUrl: string;
  project: number;
  columns: { backlog: number; ready: number; wip: number; done: number };
  ledger: { uuid: string; firstProject: number; shards: number };
}

const home = process.env["FABRIC_HOME"] ?? new URL("../../.fabric/test", import.meta.url).pathname;

/** For `test({ skip })`. */
export function whyNoStack(): string | false {
  return existsSync(join(home, "board.yaml")) ? false : "no stack is up: run scripts/test e2e";
}

export function readStack(): Stack {
  const env = Object.fromEntries(
    readFileSync(join(home, ".env"), "utf8")
      .split("\n")
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => {
        const [name = "", ...value] = line.split("=");
        return [name, value.join("=").replaceAll(/^["']|["']$/g, "")];
      }),
  );
  const board = parse(readFileSync(join(home, "board.yaml"), "utf8"));
  const { project, columns } = board.queues.local;
  return { home, env, boardUrl: board.url, project, columns, ledger: board.ledger };
}

export function secret(stack: Stack, name: string): string {
  const value = stack.env[name];
  if (value === undefined) throw new Error(`${name} is not in ${stack.home}/.env`);
  return value;
}

/** Ends one part by the id that scripts/up recorded, and waits until it is gone. */
export async function stopPart(stack: Stack, part: string): Promise<void> {
  const record = readFileSync(join(stack.home, "run", `${part}.json`), "utf8");
  const { pid } = JSON.parse(record) as { pid: number };
  process.kill(pid, "SIGTERM");
  await until(`${part} has ended`, 20, async () => !existsSync(`/proc/${pid}`));
}

/** What a user would do: run scripts/up again. */
export async function startAgain(): Promise<void> {
  const up = new URL("../../scripts/up", import.meta.url).pathname;
  await promisify(execFile)(up, ["--no-example"]);
}
