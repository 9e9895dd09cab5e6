// The secrets of this stack: random, made once, in one file that only its owner can read.
import { type Random, systemRandom } from "@agap/kb-client";
import { readEnvFile, tokenVariable, writeEnvFile } from "./env-file.ts";
import type { Layout } from "./layout.ts";
import { LOCAL_MODEL } from "./litellm-config.ts";
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
  const external = [...(kanboard?.agent ? ["kanboard"] : []), ...(litellm ? ["litellm"] : [])].join(
    " ",
  );
  const model = litellm?.model ?? LOCAL_MODEL;
  await writeEnvFile(layout.envFile, {
    ...old,
    ...variablesOf(secrets),
    LITELLM_MODEL: model,
    FABRIC_EXTERNAL: external,
  });
  return secrets;
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
