// A part that is fetched once: made in a temporary folder, stamped with its recipe, and renamed when it is complete.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Layout } from "./layout.ts";

export interface Part {
  name: string;
  title: string;
  /** Text that changes when the part must be made anew. */
  recipe: string;
  /** Needs the Debian package index. */
  debian?: boolean;
  make(folder: string): Promise<void>;
}

/** The same formula as stamp_of in state-folder.sh; launchers hold absolute paths, so the folder belongs to the recipe. */
function stampOf(layout: Layout, part: Part): string {
  const text = `${layout.home}|${part.recipe}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

export function partIs(layout: Layout, part: Part): boolean {
  const file = join(layout.part(part.name), ".stamp");
  return existsSync(file) && readFileSync(file, "utf8").trim() === stampOf(layout, part);
}

export async function bringPart(layout: Layout, part: Part): Promise<void> {
  const folder = layout.temporary(part.name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await part.make(folder);
  await writeFile(join(folder, ".stamp"), `${stampOf(layout, part)}\n`);
  await rm(layout.part(part.name), { recursive: true, force: true });
  await rename(folder, layout.part(part.name));
}

/** "name version" lines that a part's recipe wrote beside its stamp. */
export function versionsOf(layout: Layout, part: string): Record<string, string> {
  const file = join(layout.part(part), "versions");
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(" ") as [string, string]));
}
