// A worker as a process of its own on a test's board, with a state folder made for it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BoardConfig, formatBoardConfig } from "@agap/fabric";
import { systemRandom } from "@agap/kb-client";
import { stringify } from "yaml";
import { setUserToken } from "../../scripts/stack/kanboard-server.ts";
import type { TestFabric } from "./fabric.ts";
import type { TestKanboard } from "./kanboard.ts";

const main = new URL("../../workers/src/main.ts", import.meta.url).pathname;

export interface HiredWorker {
  child: ChildProcess;
  token: string;
  exited: Promise<number | null>;
  /** Everything it has said. */
  text(): string;
  /** The lines with this event. */
  said(event: string): Record<string, unknown>[];
  /** Resolves when it has said so that many times; rejects when it ends before. */
  says(event: string, times?: number): Promise<void>;
  /** By SIGKILL, where it still runs. */
  end(): Promise<void>;
}

export interface Employment {
  /** Of its account; made when it is missing. */
  agent: string;
  litellm: { url: string; key: string };
  /** In the queue's YAML. */
  config?: object;
  /** In board.yaml. */
  board?: Partial<BoardConfig>;
  /** Changes what scripts/up would have written. */
  env?: Record<string, string>;
}

/** One worker per account: hiring gives the account a new token. */
export async function hireWorker(
  fabric: TestFabric,
  kanboard: TestKanboard,
  { agent, litellm, config, board, env = {} }: Employment,
): Promise<HiredWorker> {
  await fabric.agent(agent);
  const token = systemRandom.base36(40);
  setUserToken(kanboard.dbFile, agent, token);
  const home = mkdtempSync(join(tmpdir(), "fabric-worker-"));
  const variables = {
    [`KANBOARD_TOKEN_${agent.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`]: token,
    LITELLM_URL: litellm.url,
    LITELLM_MASTER_KEY: litellm.key,
    ...env,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(home, ".env"), lines.join(""), { mode: 0o600 });
  writeFileSync(
    join(home, "board.yaml"),
    formatBoardConfig({ ...fabric.config, url: kanboard.url, ...board }),
  );
  const queueFile = join(home, "local.yaml");
  writeFileSync(
    queueFile,
    stringify({
      queue: "local",
      executor: { kind: "llm", model: "local-small" },
      poll: { busy: "100ms", idle: "500ms" },
      ...config,
    }),
  );
  const args = ["--queue", "local", "--config", queueFile, "--agent", agent];
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    env: { PATH: process.env["PATH"], FABRIC_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return watch(child, token, home);
}

function watch(child: ChildProcess, token: string, home: string): HiredWorker {
  let text = "";
  const waiting = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const exited = new Promise<number | null>((resolve) => child.on("close", resolve));
  const said = (event: string): Record<string, unknown>[] =>
    text
      .split("\n")
      .filter((line) => line.includes(`"event":"${event}"`) && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    child,
    token,
    exited,
    said,
    text: () => text,
    says: (event, times = 1) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (said(event).length < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void exited.then((code) => reject(new Error(`it ended with ${code}:\n${text}`)));
      }),
    async end() {
      child.kill("SIGKILL");
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
