// uv installs what comes from PyPI, only from the files whose hashes the repository holds.
import { join } from "node:path";
import { EXIT, Stop } from "./stop.ts";
import type { Layout } from "./layout.ts";
import { runCommand } from "./run-command.ts";

export async function uv(layout: Layout, log: string, args: readonly string[]): Promise<void> {
  if (layout.uv === undefined)
    throw new Stop(EXIT.internal, "uv was not brought by the first stage");
  await runCommand(layout.uv, args, {
    log: layout.log(log),
    failing: `PyPI's packages for ${log} could not be fetched`,
    env: {
      ...process.env,
      // Inside of the state folder, so that files are linked instead of copied and nothing is left in the home folder.
      UV_CACHE_DIR: join(layout.home, "cache", "uv"),
      UV_PYTHON_DOWNLOADS: "never",
      UV_NO_PROGRESS: "1",
    },
  });
}

export async function pipInstall(
  layout: Layout,
  log: string,
  args: readonly string[],
): Promise<void> {
  const python = args.includes("--python") ? [] : ["--python", layout.python ?? "python3"];
  await uv(layout, log, ["pip", "install", "--no-deps", "--require-hashes", ...python, ...args]);
}
