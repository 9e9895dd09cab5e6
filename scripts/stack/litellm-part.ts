// LiteLLM in a virtual environment of its own.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installedLiteLLM, refuseCompromised } from "./compromised.ts";
import type { Layout } from "./layout.ts";
import type { Part } from "./part.ts";
import { pipInstall, uv } from "./uv.ts";

export function litellmPart(layout: Layout): Part {
  const lock = join(layout.stack, "litellm.lock");
  const text = readFileSync(lock, "utf8");
  refuseCompromised(/^litellm==(\S+)/m.exec(text)?.[1] ?? null);
  return {
    name: "litellm",
    title: "LiteLLM",
    recipe: `${layout.python}\n${text}`,
    make: async (folder) => {
      // Its scripts would name the temporary folder, so LiteLLM is started as a module of the environment's Python.
      await uv(layout, "litellm", [
        "venv",
        "--quiet",
        "--relocatable",
        "--python",
        layout.python ?? "python3",
        folder,
      ]);
      await pipInstall(layout, "litellm", ["--python", join(folder, "bin", "python"), "-r", lock]);
      const version = installedLiteLLM(folder);
      refuseCompromised(version);
      await writeFile(join(folder, "versions"), `litellm ${version}\n`);
    },
  };
}
