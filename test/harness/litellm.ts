// A real LiteLLM for one test file, in front of whatever stands for its models: own port, own configuration.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRandom } from "@agap/kb-client";
import { stringify } from "yaml";

const repo = new URL("../..", import.meta.url).pathname;
const BOOT_SECONDS = 90;

function python(): string | null {
  const { FABRIC_PARTS, FABRIC_HOME } = process.env;
  const places = [
    FABRIC_PARTS,
    FABRIC_HOME === undefined ? undefined : join(FABRIC_HOME, "parts"),
    join(repo, ".fabric", "test", "parts"),
    join(repo, ".fabric", "parts"),
  ];
  const files = places.map((place) => join(place ?? "", "litellm", "bin", "python"));
  return files.find((file) => file.startsWith("/") && existsSync(file)) ?? null;
}

/** For `test({ skip })`: why there can be no LiteLLM here, or false. */
export function whyNoLitellm(): string | false {
  return python() === null ? "no LiteLLM: run scripts/up once, or set FABRIC_PARTS" : false;
}

export interface TestLitellm {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** @param models name in LiteLLM and base address of what serves it; the settings are those of scripts/up */
export async function startLitellm(
  models: Record<string, { url: string; contextTokens?: number }>,
): Promise<TestLitellm> {
  const program = python();
  if (program === null) throw new Error(`${whyNoLitellm()}`);
  const folder = mkdtempSync(join(tmpdir(), "fabric-litellm-"));
  const config = join(folder, "litellm.yaml");
  writeFileSync(config, stringify(configFor(models)));
  const port = await freePort();
  const key = `sk-${systemRandom.base36(32)}`;
  const child = spawn(
    program,
    [
      join(repo, "scripts", "stack", "litellm-start.py"),
      "--config",
      config,
      "--host",
      "127.0.0.1",
      "--port",
      `${port}`,
      "--num_workers",
      "1",
    ],
    {
      cwd: folder,
      stdio: "ignore",
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        NO_PROXY: "127.0.0.1",
        LITELLM_MASTER_KEY: key,
        LITELLM_LOCAL_MODEL_COST_MAP: "True",
      },
    },
  );
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await healthy(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, key, stop };
}

function configFor(models: Record<string, { url: string; contextTokens?: number }>): object {
  const list = Object.entries(models).map(([name, { url, contextTokens }]) => ({
    model_name: name,
    litellm_params: {
      model: `openai/${name}`,
      api_base: `${url}/v1`,
      api_key: "sk-none",
      max_retries: 0,
      timeout: 60,
      input_cost_per_token: 0,
      output_cost_per_token: 0,
    },
    model_info: {
      id: `dep-${name}`,
      mode: "chat",
      disable_background_health_check: true,
      ...(contextTokens === undefined ? {} : { max_input_tokens: contextTokens }),
    },
  }));
  return {
    model_list: list,
    litellm_settings: { num_retries: 0, drop_params: false, telemetry: false },
    router_settings: { num_retries: 0, disable_cooldowns: true, enable_pre_call_checks: true },
    general_settings: { master_key: "os.environ/LITELLM_MASTER_KEY" },
  };
}

async function healthy(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + BOOT_SECONDS * 1000;
  while (Date.now() < end && child.exitCode === null) {
    const answer = await fetch(`${url}/health/liveliness`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
  throw new Error(`LiteLLM did not start within ${BOOT_SECONDS} s`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
