// P8, P8next: how long a command of the shell takes over bare node, on the same binary, through the same kind of
// launcher that scripts/up makes. Of interleaved runs the fastest of each counts: what else runs on the machine only adds,
// and adds more to the longer one.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatBoardConfig } from "@agap/fabric";
import { type RpcRequest, systemClock } from "@agap/kb-client";
import { buildKbClaim } from "../../packages/kb-claim/build.ts";
import { TestFabric } from "../harness/fabric.ts";
import { memoryBoard } from "../harness/memory-board.ts";
import { atMost, type Figure } from "./report.ts";

const ROUNDS = 40;
const GOAL_VERSION = 1.7;
const GOAL_NEXT = 2.2;

export async function cliStart(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), "kb-claim-bench-"));
  const board = await serveBoard();
  try {
    writeFileSync(join(home, "board.yaml"), formatBoardConfig({ ...board.config, url: board.url }));
    writeFileSync(
      join(home, ".env"),
      `FABRIC_CLI_AGENT=bench\nKANBOARD_TOKEN_BENCH=${board.token}\n`,
    );
    const bundle = await buildKbClaim(join(home, "dist"));
    const launcher = join(home, "kb-claim");
    const script = `#!/bin/sh\nexport FABRIC_HOME="${home}"\nexec "${process.execPath}" "${bundle}" "$@"\n`;
    writeFileSync(launcher, script, { mode: 0o755 });
    await runTimed(launcher, ["next"]);
    const [bare, version, next]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await runTimed(process.execPath, ["-e", "0"]));
      version.push(await runTimed(launcher, ["--version"]));
      const served = board.servedMs();
      next.push((await runTimed(launcher, ["next"])) - (board.servedMs() - served));
    }
    const base = Math.min(...bare);
    const detail = (times: number[]): string =>
      `${Math.min(...times).toFixed(1)} ms / ${base.toFixed(1)} ms`;
    return [
      atMost(
        "P8",
        "kb-claim --version / node -e 0",
        Math.min(...version) / base,
        GOAL_VERSION,
        detail(version),
      ),
      atMost(
        "P8next",
        "kb-claim next without the board / node -e 0",
        Math.min(...next) / base,
        GOAL_NEXT,
        detail(next),
      ),
    ];
  } finally {
    board.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Milliseconds from the start of the process to its end. */
function runTimed(file: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(file, args, { stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code) => {
      // 10: nothing to claim on the empty board.
      if (code === 0 || code === 10) resolve(performance.now() - started);
      else reject(new Error(`${file} ${args.join(" ")} ended with ${code}`));
    });
  });
}

/** The in-memory board behind HTTP, with the time it took to answer. */
async function serveBoard() {
  const memory = memoryBoard(systemClock);
  const fabric = await TestFabric.create(memory);
  await fabric.agent("bench");
  const transport = await memory.user("bench");
  let served = 0;
  const answer = async (calls: (RpcRequest & { id: number })[], response: ServerResponse) => {
    const started = performance.now();
    const { replies } = await transport.send(calls, { purpose: "read" });
    const body = replies.map((reply, i) => ({ jsonrpc: "2.0", id: calls[i]?.id, ...reply }));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(body), () => (served += performance.now() - started));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const calls = JSON.parse(Buffer.concat(chunks).toString()) as (RpcRequest & { id: number })[];
      void answer(calls, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const token = "token-of-bench";
  return {
    url: `http://127.0.0.1:${port}`,
    config: fabric.config,
    token,
    servedMs: () => served,
    stop: () => server.close(),
  };
}
