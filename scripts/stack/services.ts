// The parts that scripts/up keeps running on its own machine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedLiteLLM, refuseCompromised } from "./compromised.ts";
import { startKanboard, waitForKanboard } from "./kanboard-server.ts";
import type { Layout } from "./layout.ts";
import { CONTEXT_TOKENS, litellmConfig, LOCAL_MODEL } from "./litellm-config.ts";
import { MODEL_FILE } from "./model-part.ts";
import { versionsOf } from "./part.ts";
import type { Secrets } from "./secrets.ts";
import type { Service } from "./service.ts";
import { serviceEnvironment, spawnDetached } from "./spawn-detached.ts";

export function kanboardService(layout: Layout, secrets: Secrets, listen: string): Service {
  const port = layout.ports.kanboard;
  const apiToken = secrets.appToken;
  const { kanboard = "?", php = "?" } = versionsOf(layout, "board");
  const host = listen === "0.0.0.0" || listen === "::" ? "127.0.0.1" : listen;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    name: "kanboard",
    address: `http://${listen}:${port}`,
    version: `${kanboard} on PHP ${php}`,
    depends: [listen, port, apiToken, layout.home, kanboard, php],
    patienceMs: 60_000,
    start: () =>
      startKanboard({
        parts: layout.part("board"),
        dataDir: layout.data("kanboard"),
        port,
        listen,
        apiToken,
        logFile: layout.log("kanboard"),
      }).pid,
    isHealthy: async () => {
      await waitForKanboard({ url, apiToken }, { timeoutMs: 1000 });
      return true;
    },
  };
}

export function llamaService(layout: Layout): Service {
  const port = layout.ports.llama;
  const { llama = "?" } = versionsOf(layout, "llama");
  const args = [
    ["--model", join(layout.part("model"), MODEL_FILE)],
    ["--alias", LOCAL_MODEL],
    ["--host", "127.0.0.1", "--port", `${port}`],
    // Two slots of the whole context: a person's question is not behind a long answer.
    ["--parallel", "2", "--ctx-size", `${2 * CONTEXT_TOKENS}`],
    ["--metrics", "--no-webui"],
  ].flat();
  return {
    name: "llama",
    address: `http://127.0.0.1:${port}`,
    version: `${llama}, ${MODEL_FILE.replace(".gguf", "")}`,
    depends: [args, layout.home, llama],
    patienceMs: 60_000,
    start: () =>
      spawnDetached({
        program: join(layout.part("llama"), "bin", "llama-server"),
        args,
        cwd: join(layout.part("llama"), "backends"),
        env: serviceEnvironment({}),
        log: layout.log("llama"),
      }),
    isHealthy: () => answers(`http://127.0.0.1:${port}/health`),
  };
}

export function litellmService(layout: Layout, secrets: Secrets): Service {
  const port = layout.ports.litellm;
  const venv = layout.part("litellm");
  const version = installedLiteLLM(venv);
  refuseCompromised(version);
  const config = litellmConfig(layout);
  const file = join(layout.home, "run", "litellm.yaml");
  const options = [
    "--config",
    file,
    "--host",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--num_workers",
    "1",
  ];
  return {
    name: "litellm",
    address: `http://127.0.0.1:${port}`,
    version: version ?? "?",
    depends: [config, port, secrets.litellmKey, layout.home, version],
    patienceMs: 120_000,
    start: () => {
      writeFileSync(file, config, { mode: 0o600 });
      return spawnDetached({
        program: join(venv, "bin", "python"),
        args: [join(layout.stack, "litellm-start.py"), ...options],
        cwd: layout.data("litellm"),
        env: serviceEnvironment({
          LITELLM_MASTER_KEY: secrets.litellmKey,
          // Otherwise it asks the network for prices at every start.
          LITELLM_LOCAL_MODEL_COST_MAP: "True",
          LITELLM_LOG: "ERROR",
          HOME: layout.data("litellm"),
        }),
        log: layout.log("litellm"),
      });
    },
    isHealthy: () => answers(`http://127.0.0.1:${port}/health/liveliness`),
  };
}

async function answers(url: string): Promise<boolean> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await reply.body?.cancel();
  return reply.ok;
}
