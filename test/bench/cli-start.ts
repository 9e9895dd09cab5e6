// P8, P8next: how much processor time a command of the shell takes over bare node, on the same binary, through the
// same kind of launcher that scripts/up makes. Of interleaved runs the cheapest of each counts: what else runs on the
// machine only adds. Waiting for the board costs nothing in this measure, and all threads of the command do.
import { execFile } from "node:child_process";
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
      next.push(await runTimed(launcher, ["next"]));
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

/** Milliseconds of processor time, as bash counts them: node itself does not tell those of a child. */
function runTimed(file: string, args: string[]): Promise<number> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null 2>&1';
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", script, "bash", file, ...args], (error, _out, times) => {
      // 10: nothing to claim on the empty board.
      if (error !== null && error.code !== 10) return reject(error);
      const [user = Number.NaN, system = Number.NaN] = times.trim().split(" ").map(Number);
      resolve((user + system) * 1000);
    });
  });
}

/** The in-memory board behind HTTP. */
async function serveBoard() {
  const memory = memoryBoard(systemClock);
  const fabric = await TestFabric.create(memory);
  await fabric.agent("bench");
  const transport = await memory.user("bench");
  const answer = async (calls: (RpcRequest & { id: number })[], response: ServerResponse) => {
    const { replies } = await transport.send(calls, { purpose: "read" });
    const body = replies.map((reply, i) => ({ jsonrpc: "2.0", id: calls[i]?.id, ...reply }));
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(body));
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
    stop: () => server.close(),
  };
}
