// A worker as a process of its own, as scripts/up starts one, with a state folder made by the test.
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setUpAgent, setUpQueue } from "@agap/fabric";
import {
  HttpTransport,
  KanboardClient,
  type LedgerBinding,
  type ProjectId,
  systemClock,
  systemRandom,
} from "@agap/kb-client";
import { stringify } from "yaml";
import { setUserToken } from "../../scripts/stack/kanboard-server.ts";
import { secret, type Stack } from "./stack.ts";

const main = new URL("../../workers/src/main.ts", import.meta.url).pathname;

export interface Crew {
  project: number;
  columns: Record<string, number | undefined>;
  start(agent: string): WorkerProcess;
  /** Ends every worker that still runs, by SIGKILL, and removes the state folder. */
  stop(): Promise<void>;
}

export interface WorkerProcess {
  agent: string;
  child: ChildProcess;
  exited: Promise<number | null>;
  log(): string;
}

/** A queue of its own on the stack's board, and accounts for those who work on it. */
export async function hireCrew(
  stack: Stack,
  options: { queue: string; agents: string[]; config: object; litellm: string },
): Promise<Crew> {
  const { queue, agents, config, litellm } = options;
  const transport = new HttpTransport({
    url: stack.boardUrl,
    auth: { kind: "app", token: secret(stack, "KANBOARD_APP_TOKEN") },
  });
  const client = new KanboardClient(transport, { clock: systemClock, random: systemRandom });
  const { uuid, firstProject, shards } = stack.ledger;
  const ledger: LedgerBinding = { uuid, firstProject: firstProject as ProjectId, shards };
  const { entry } = await setUpQueue(client, ledger, { name: queue });
  const home = mkdtempSync(join(tmpdir(), "fabric-crew-"));
  const env = [
    `KANBOARD_URL=${stack.boardUrl}`,
    `LITELLM_URL=${litellm}`,
    `LITELLM_MASTER_KEY=${secret(stack, "LITELLM_MASTER_KEY")}`,
  ];
  for (const username of agents) {
    const token = systemRandom.base36(40);
    const queues = [entry.project as ProjectId];
    await setUpAgent(client, { username, password: systemRandom.base36(30), queues }, ledger);
    setUserToken(join(stack.home, "data", "kanboard", "db.sqlite"), username, token);
    env.push(`KANBOARD_TOKEN_${username.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}=${token}`);
  }
  transport.close();
  writeFileSync(join(home, ".env"), `${env.join("\n")}\n`, { mode: 0o600 });
  const board = { url: stack.boardUrl, ledger: stack.ledger, queues: { [queue]: entry } };
  writeFileSync(join(home, "board.yaml"), stringify(board));
  const configFile = join(home, `${queue}.yaml`);
  writeFileSync(configFile, stringify({ queue, ...config }));
  const running = new Set<WorkerProcess>();
  return {
    project: entry.project,
    columns: { ...entry.columns },
    start(agent) {
      const worker = run(["--queue", queue, "--config", configFile], home, agent);
      running.add(worker);
      worker.child.on("exit", () => running.delete(worker));
      return worker;
    },
    async stop() {
      const all = [...running];
      for (const worker of all) worker.child.kill("SIGKILL");
      await Promise.all(all.map((worker) => worker.exited));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function run(args: string[], home: string, agent: string): WorkerProcess {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, FABRIC_HOME: home, FABRIC_AGENT: agent },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const keep = (chunk: Buffer): void => {
    text += chunk.toString();
    const file = process.env["FABRIC_TEST_WORKER_LOG"];
    if (file !== undefined) appendFileSync(file, chunk);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const exited = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  return { agent, child, exited, log: () => text };
}
