// .fabric/bin/kb-claim: a bundle, because reading two hundred source files takes longer than most commands.
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Layout } from "./layout.ts";

/** @returns the folder for the PATH */
export async function makeLauncher(layout: Layout): Promise<string> {
  const source = join(layout.repo, "packages", "kb-claim", "src", "main.ts");
  const dist = join(layout.home, "dist");
  if (existsSync(source)) await bundle(source, dist);
  const bin = join(layout.home, "bin");
  await mkdir(bin, { recursive: true });
  const file = join(bin, "kb-claim");
  await writeFile(`${file}.new`, script(layout, join(dist, "kb-claim.mjs"), source));
  await chmod(`${file}.new`, 0o755);
  await rename(`${file}.new`, file);
  return bin;
}

/** In chunks, so that a command loads only what it uses. */
async function bundle(source: string, dist: string): Promise<void> {
  const made = `${dist}.new`;
  await rm(made, { recursive: true, force: true });
  await build({
    entryPoints: { "kb-claim": source },
    outdir: made,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node22.18",
    logLevel: "error",
    // Some libraries are CommonJS and require Node's own modules.
    banner: {
      js: 'import { createRequire as fabricRequire } from "node:module"; const require = fabricRequire(import.meta.url);',
    },
  });
  await rm(dist, { recursive: true, force: true });
  await rename(made, dist);
}

function script(layout: Layout, bundled: string, source: string): string {
  return `#!/bin/sh
export FABRIC_HOME="\${FABRIC_HOME:-${layout.home}}"
export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE:-${join(layout.home, "run", "node-cache")}}"
if [ -r "${bundled}" ]; then exec "${process.execPath}" "${bundled}" "$@"; fi
exec "${process.execPath}" "${source}" "$@"
`;
}
