// The secrets of this stack: random, made once, in one file that only its owner can read.
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { type Random, systemRandom } from "@agap/kb-client";
import type { Layout } from "./layout.ts";
import type { Options } from "./options.ts";

/** An account that a program uses. */
export interface Account {
  username: string;
  token: string;
}

export interface Secrets {
  kanboardUrl: string;
  /** Set-up and restore only. */
  appToken: string;
  /** The person who owns the board; "" where the board is not ours. */
  ownerPassword: string;
  /** Who kb-claim is when it is called by hand. */
  shell: Account;
  worker: Account;
  litellmUrl: string;
  litellmKey: string;
}

export const OWNER = "admin";
const TOKEN_LENGTH = 40;
const PASSWORD_LENGTH = 16;

/** Values that exist are kept, those that the options state are taken, the others are made. */
export async function bringSecrets(
  layout: Layout,
  options: Options,
  random: Random = systemRandom,
): Promise<Secrets> {
  const old = readEnvFile(layout.envFile);
  const { kanboard, litellm } = options;
  const account = (username: string): Account =>
    kanboard?.agent ?? {
      username,
      token: old[tokenVariable(username)] ?? random.base36(TOKEN_LENGTH),
    };
  const secrets: Secrets = {
    kanboardUrl: kanboard?.url ?? `http://127.0.0.1:${layout.ports.kanboard}`,
    appToken: kanboard?.token ?? old["KANBOARD_APP_TOKEN"] ?? random.base36(TOKEN_LENGTH),
    ownerPassword: kanboard
      ? ""
      : (old["KANBOARD_ADMIN_PASSWORD"] ?? random.base36(PASSWORD_LENGTH)),
    shell: account("owner-cli"),
    worker: account("worker-local"),
    litellmUrl: litellm?.url ?? `http://127.0.0.1:${layout.ports.litellm}`,
    litellmKey: litellm?.key ?? old["LITELLM_MASTER_KEY"] ?? `sk-${random.base36(TOKEN_LENGTH)}`,
  };
  await writeEnvFile(layout.envFile, { ...old, ...variablesOf(secrets) });
  return secrets;
}

/** `worker-local` -> `KANBOARD_TOKEN_WORKER_LOCAL`, as kb-claim and the workers look it up. */
export function tokenVariable(username: string): string {
  return `KANBOARD_TOKEN_${username.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

function variablesOf(secrets: Secrets): Record<string, string> {
  return {
    KANBOARD_URL: secrets.kanboardUrl,
    KANBOARD_APP_TOKEN: secrets.appToken,
    KANBOARD_ADMIN_PASSWORD: secrets.ownerPassword,
    FABRIC_CLI_AGENT: secrets.shell.username,
    [tokenVariable(secrets.shell.username)]: secrets.shell.token,
    [tokenVariable(secrets.worker.username)]: secrets.worker.token,
    LITELLM_URL: secrets.litellmUrl,
    LITELLM_MASTER_KEY: secrets.litellmKey,
  };
}

function readEnvFile(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").split("\n");
  const pairs = lines
    .filter((line) => /^[A-Z][A-Z0-9_]*=/.test(line))
    .map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1).replace(/^"(.*)"$/, "$1")];
    });
  return Object.fromEntries(pairs) as Record<string, string>;
}

async function writeEnvFile(file: string, values: Record<string, string>): Promise<void> {
  const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
  const head =
    "# Secrets of this stack, made by scripts/up. Lines may be added; what is here is kept.";
  await writeFile(`${file}.new`, `${head}\n${lines.join("\n")}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
