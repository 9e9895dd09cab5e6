// Runs named steps in a root and answers what each said, how it ended and how long it took.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passedVariables } from "./machine-configuration.ts";

export interface Step {
  name: string;
  /** Without network the step has loopback only. */
  network: "online" | "offline";
  command: string;
}

export interface StepResult {
  output: string;
  exitCode: number;
  seconds: number;
}

export async function runScenario(
  root: string,
  user: string,
  steps: readonly Step[],
): Promise<Map<string, StepResult>> {
  const out = mkdtempSync(join(tmpdir(), "fabric-first-run-"));
  try {
    const ports = await freePorts(3);
    const variables = [
      ...passedVariables(user),
      // Processes of the root share this machine's loopback as long as they are online.
      ...["KANBOARD", "LITELLM", "LLAMA"].map((part, i) => `FABRIC_${part}_PORT=${ports[i]}`),
    ];
    writeFileSync(join(out, "environment"), `${variables.join("\n")}\n`);
    writeFileSync(
      join(out, "steps"),
      steps.map((step) => `${step.name}\t${step.network}\t${step.command}\n`).join(""),
    );
    await inNamespace(root, out, user);
    return new Map(steps.map((step) => [step.name, read(out, step.name)]));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

async function inNamespace(root: string, out: string, user: string): Promise<void> {
  const script = new URL("scenario.sh", import.meta.url).pathname;
  const args = ["--mount", "--pid", "--fork", "--kill-child", "bash", script, root, out, user];
  const child = spawn("unshare", args, { stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`the scenario's own script ended with ${code}`);
}

function read(out: string, name: string): StepResult {
  const [code = "", ms = ""] = readFileSync(join(out, `${name}.result`), "utf8")
    .trim()
    .split(" ");
  const output = readFileSync(join(out, `${name}.out`), "utf8");
  return { output, exitCode: Number(code), seconds: Number(ms) / 1000 };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.on("error", reject);
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            if (typeof address === "object" && address) resolve(address.port);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
