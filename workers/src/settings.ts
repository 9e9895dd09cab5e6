// Everything a worker is told: command line, environment, the state folder's files and the queue's YAML.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  type BoardConfig,
  parseBoardConfig,
  parseQueueConfig,
  type QueueConfig,
} from "@agap/fabric";
import { FabricError } from "@agap/kb-client";
import { parse as parseEnv } from "dotenv";

export interface Settings {
  agent: string;
  token: string;
  board: BoardConfig;
  queue: QueueConfig;
  /** @throws FabricError `WORKER_NO_CREDENTIAL` where the queue needs none */
  litellm: () => { url: string; key: string };
  logLevel: string;
}

const repo = fileURLToPath(new URL("../..", import.meta.url));

/** @throws FabricError `WORKER_USAGE`, `WORKER_NOT_SET_UP`, `WORKER_NO_CREDENTIAL`, `CONFIG_INVALID` */
export function readSettings(argv: readonly string[], env: NodeJS.ProcessEnv): Settings {
  const options = readOptions(argv);
  const home = env["FABRIC_HOME"] || join(repo, ".fabric");
  const variables = { ...parseEnv(readFile(home, ".env")), ...env };
  const file = options.config ?? queueFile(home, options.queue);
  const queue = parseQueueConfig(readText(file), file);
  if (queue.queue !== options.queue) {
    throw new FabricError(
      `${file} is the file of the queue ${queue.queue}, not of ${options.queue}`,
      {
        code: "CONFIG_INVALID",
        retryable: "no",
        hint: "Name the queue that the file is for.",
      },
    );
  }
  const agent = options.agent ?? variables["FABRIC_AGENT"] ?? `worker-${options.queue}`;
  const boardFile = join(home, "board.yaml");
  const board = parseBoardConfig(readFile(home, "board.yaml"), boardFile);
  return {
    agent,
    token: need(
      variables,
      `KANBOARD_TOKEN_${agent.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`,
      home,
    ),
    board: { ...board, url: variables["KANBOARD_URL"] ?? board.url },
    queue,
    litellm: () => ({
      url: need(variables, "LITELLM_URL", home),
      key: need(variables, "LITELLM_MASTER_KEY", home),
    }),
    logLevel: variables["FABRIC_LOG_LEVEL"] ?? "info",
  };
}

function readOptions(argv: readonly string[]): { queue: string; config?: string; agent?: string } {
  try {
    const options = {
      queue: { type: "string" },
      config: { type: "string" },
      agent: { type: "string" },
    } as const;
    const { values } = parseArgs({ args: [...argv], options });
    if (values.queue === undefined) throw new Error("--queue is missing");
    return { ...values, queue: values.queue };
  } catch (cause) {
    throw new FabricError(`worker: ${cause instanceof Error ? cause.message : String(cause)}`, {
      code: "WORKER_USAGE",
      retryable: "no",
      hint: "Usage: node workers/src/main.ts --queue NAME [--config FILE] [--agent ACCOUNT]",
      cause,
    });
  }
}

/** The state folder's own file goes first: set-up writes it where a board's model has another name. */
function queueFile(home: string, queue: string): string {
  const own = join(home, "queues", `${queue}.yaml`);
  return existsSync(own) ? own : join(repo, "workers", "queues", `${queue}.yaml`);
}

function readFile(home: string, name: string): string {
  const file = join(home, name);
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new FabricError(`there is no ${file}`, {
    code: "WORKER_NOT_SET_UP",
    retryable: "no",
    hint: "Run scripts/up first, or point FABRIC_HOME at the state folder.",
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new FabricError(`${file} can't be read`, {
      code: "CONFIG_INVALID",
      retryable: "no",
      hint: "Every queue that a worker serves needs its YAML.",
      cause,
    });
  }
}

function need(variables: Record<string, string | undefined>, name: string, home: string): string {
  const value = variables[name];
  if (value !== undefined && value !== "") return value;
  throw new FabricError(`${name} is not set`, {
    code: "WORKER_NO_CREDENTIAL",
    retryable: "no",
    hint: `Put it into ${join(home, ".env")}; scripts/up does.`,
  });
}
