// Which file describes the queue: the repository's, or one in the state folder where the model is another one.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import type { Layout } from "./layout.ts";
import type { Options } from "./options.ts";
import { QUEUE } from "./seed-board.ts";

/** The order in which workers and kb-claim look. */
export function queueFile(layout: Layout): string {
  const own = ownFile(layout);
  return existsSync(own) ? own : shippedFile(layout);
}

/** With a LiteLLM of the user's the queue asks it for the model of their choice. */
export async function chooseModel(layout: Layout, options: Options): Promise<void> {
  const file = ownFile(layout);
  if (!options.litellm) {
    if (existsSync(file) && readFileSync(file, "utf8").startsWith(HEAD)) await rm(file);
    return;
  }
  const document = parseDocument(readFileSync(shippedFile(layout), "utf8"));
  document.setIn(["executor", "model"], options.litellm.model);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${HEAD}\n${document.toString()}`);
}

const HEAD = "# Made by scripts/up --litellm from workers/queues.";

function ownFile(layout: Layout): string {
  return join(layout.home, "queues", `${QUEUE}.yaml`);
}

function shippedFile(layout: Layout): string {
  return join(layout.repo, "workers", "queues", `${QUEUE}.yaml`);
}
