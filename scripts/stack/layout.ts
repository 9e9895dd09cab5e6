// Where everything lives below the state folder, and on which ports it listens. The bash stage has set the variables.
import { join } from "node:path";
import { z } from "zod";

const port = z.coerce.number().int().min(1).max(65_535);

const environment = z.object({
  FABRIC_HOME: z.string().startsWith("/"),
  FABRIC_REPO: z.string().startsWith("/"),
  FABRIC_KANBOARD_PORT: port,
  FABRIC_LITELLM_PORT: port,
  FABRIC_LLAMA_PORT: port,
  FABRIC_PYTHON: z.string().optional(),
  FABRIC_UV: z.string().optional(),
});

export interface Layout {
  repo: string;
  home: string;
  ports: { kanboard: number; litellm: number; llama: number };
  python: string | undefined;
  uv: string | undefined;
  part(name: string): string;
  log(name: string): string;
  record(name: string): string;
  data(name: string): string;
  temporary(name: string): string;
  envFile: string;
  boardFile: string;
  stack: string;
}

export function readLayout(variables: NodeJS.ProcessEnv): Layout {
  const env = environment.parse(variables);
  const home = env.FABRIC_HOME;
  return {
    repo: env.FABRIC_REPO,
    home,
    ports: {
      kanboard: env.FABRIC_KANBOARD_PORT,
      litellm: env.FABRIC_LITELLM_PORT,
      llama: env.FABRIC_LLAMA_PORT,
    },
    python: env.FABRIC_PYTHON,
    uv: env.FABRIC_UV,
    part: (name) => join(home, "parts", name),
    log: (name) => join(home, "log", `${name}.log`),
    record: (name) => join(home, "run", `${name}.json`),
    data: (name) => join(home, "data", name),
    temporary: (name) => join(home, "tmp", name),
    envFile: join(home, ".env"),
    boardFile: join(home, "board.yaml"),
    stack: join(env.FABRIC_REPO, "scripts", "stack"),
  };
}
