// Makes kb-claim one file that starts almost as fast as bare node: CommonJS, because Node reads it without its ES
// module loader and because built-in modules are then loaded where they are used, not at the start.
// Usage: node packages/kb-claim/build.ts [--out DIR]   (.fabric/dist of this checkout by default)
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Zod carries its messages in 60 languages, a third of the bundle; the program speaks English. */
const oneLanguage: Plugin = {
  name: "one-language",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** Of axios only its adapter for node is used; the one for `fetch` loads 60 ms of node's own at the start. */
const noFetch: Plugin = {
  name: "no-fetch",
  setup({ onLoad }) {
    onLoad({ filter: /axios\/lib\/adapters\/(?:fetch|xhr)\.js$/ }, () => ({
      contents: "export default null; export const getFetch = () => null;",
      loader: "js",
    }));
  },
};

/** @returns the path of the bundle */
export async function buildKbClaim(folder: string): Promise<string> {
  const path = join(folder, "kb-claim.cjs");
  const result = await build({
    entryPoints: [join(here, "src/main.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22.18",
    minify: true,
    keepNames: false,
    legalComments: "none",
    plugins: [oneLanguage, noFetch],
    write: false,
    logLevel: "error",
    metafile: true,
  });
  const [file] = result.outputFiles;
  if (!file) throw new Error("esbuild made no file");
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, file.contents);
  await rename(temporary, path);
  return path;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const path = await buildKbClaim(resolve(values.out ?? join(here, "../../.fabric/dist")));
  process.stdout.write(`${path}\n`);
}
