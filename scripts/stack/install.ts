// Fetches the parts that are missing, at the same time: they come from different places and use different resources.
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { boardPart, llamaPart, updateIndex } from "./debian-part.ts";
import type { Layout } from "./layout.ts";
import { litellmPart } from "./litellm-part.ts";
import { modelPart } from "./model-part.ts";
import type { Options } from "./options.ts";
import { bringPart, type Part, partIs } from "./part.ts";
import { megabytes, type Progress } from "./progress.ts";

/** What is started as soon as the parts it needs are there: LiteLLM boots while Debian's packages are unpacked. */
export interface Starters {
  board(): Promise<void>;
  litellm(): Promise<void>;
  llama(): Promise<void>;
}

export async function installParts(
  layout: Layout,
  options: Options,
  progress: Progress,
  start: Starters,
): Promise<void> {
  const chains: { parts: Part[]; start: () => Promise<void> }[] = [
    ...(options.kanboard ? [] : [{ parts: [boardPart(layout)], start: start.board }]),
    ...(options.litellm
      ? []
      : [
          { parts: [litellmPart(layout)], start: start.litellm },
          { parts: [llamaPart(layout), modelPart(layout)], start: start.llama },
        ]),
  ];
  const missing = chains.flatMap((chain) => chain.parts).filter((part) => !partIs(layout, part));
  if (missing.length > 0) progress.say(`Fetching ${missing.map((part) => part.title).join(", ")}`);
  const index = missing.some((part) => part.debian) ? updateIndex(layout) : Promise.resolve();
  const fetched = chains.map((chain) =>
    Promise.all(
      chain.parts
        .filter((part) => missing.includes(part))
        .map((part) => fetchPart(layout, part, index, progress)),
    ),
  );
  // All are settled before one failure is reported: what the others have fetched and started by then is kept.
  const results = await Promise.allSettled([
    Promise.all(fetched).then(() => markInstalled(layout, missing.length > 0)),
    ...chains.map(async (chain, i) => {
      await fetched[i];
      await chain.start();
    }),
  ]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function fetchPart(
  layout: Layout,
  part: Part,
  index: Promise<void>,
  progress: Progress,
): Promise<void> {
  if (part.debian) await index;
  const growing = layout.temporary(part.name);
  await progress.step(part.title, growing, async () => {
    await bringPart(layout, part);
    return `${megabytes(layout.part(part.name))} MB`;
  });
}

/** Package lists, wheels and stores are as large as the stack itself, and nothing of them is needed to start. */
async function markInstalled(layout: Layout, fetched: boolean): Promise<void> {
  const marker = join(layout.home, "installed");
  if (!fetched && existsSync(marker)) return;
  for (const name of ["cache", "apt", "tmp"]) {
    await rm(join(layout.home, name), { recursive: true, force: true });
  }
  await writeFile(marker, "Every part has been fetched: no network is needed to start.\n");
}
