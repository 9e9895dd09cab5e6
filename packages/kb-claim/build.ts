// Makes kb-claim a bundle that starts almost as fast as bare node. CommonJS, because Node reads it without its ES
// module loader; several files, so that a command reads only what it uses: `--version` none but the entry.
// Usage: node packages/kb-claim/build.ts [--out DIR]   (.fabric/dist of this checkout by default)
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";

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

/** What the verbs never call: converting schemas from and to JSON Schema. */
const noJsonSchema: Plugin = {
  name: "no-json-schema",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/classic\/from-json-schema\.js$/ }, () => ({
      contents: "export const fromJSONSchema = undefined;",
      loader: "js",
    }));
  },
};

/**
 * The packages' index files, without the parts that are imported by their own names and late: otherwise loading the
 * index would build every schema of the configuration files.
 */
const leanIndexes: Plugin = {
  name: "lean-indexes",
  setup({ onLoad }) {
    onLoad(
      { filter: /packages\/(?:fabric|kb-client)\/src\/(?:rpc\/)?index\.ts$/ },
      async ({ path }) => {
        const text = await readFile(path, "utf8");
        const late = /^export .* from "\.\/(?:config\/index|setup\/.*|http-transport)\.ts";$/gm;
        return { contents: text.replaceAll(late, ""), loader: "ts" };
      },
    );
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

/**
 * Parts that most commands never use are loaded with their first use: axios (100 ms), yaml (20), TLS (25), crypto (12),
 * child_process (7). The stand-ins name what is used of each; anything else fails the build.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  axios: `export default { post: (...args) => real().default.post(...args) };
    export const isAxiosError = (error) => real().isAxiosError(error);`,
  yaml: `export const parse = (...args) => real().parse(...args);
    export const stringify = (...args) => real().stringify(...args);`,
  "node:https": "export function Agent(...args) { return new (real().Agent)(...args); }",
  "node:tls": "export const getCACertificates = (...args) => real().getCACertificates(...args);",
  "node:crypto": ["randomBytes", "randomInt", "createHash"].map(passOn).join(""),
  "node:child_process": `${passOn("execFileSync")} export default { spawn: (...args) => real().spawn(...args) };`,
};

function passOn(name: string): string {
  return `export const ${name} = (...args) => real().${name}(...args);`;
}

/** Libraries among them are files of their own, so that reading the verbs stays short. */
const LATE_LIBRARIES = ["axios", "yaml"];

const onFirstUse: Plugin = {
  name: "on-first-use",
  setup(bundle) {
    const names = Object.keys(STAND_INS).join("|");
    bundle.onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path, importer, resolveDir }) => {
      // Libraries keep their own imports: they are loaded late as a whole. Commander alone is used at once.
      const isOurs = !importer.includes("node_modules") || importer.includes("/commander/");
      return isOurs ? { path, namespace: "on-first-use", pluginData: resolveDir } : undefined;
    });
    bundle.onLoad({ filter: /.*/, namespace: "on-first-use" }, ({ path, pluginData }) => {
      const source = path.startsWith("node:")
        ? `process.getBuiltinModule(${JSON.stringify(path)})`
        : `require("./late-${path}.cjs")`;
      const contents = `const real = () => ${source};\n${STAND_INS[path] ?? ""}`;
      return { contents, resolveDir: pluginData as string };
    });
    bundle.onResolve({ filter: /^\.\/late-/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The entry leaves everything but `--version` to the other file. */
const verbsApart: Plugin = {
  name: "verbs-apart",
  setup({ onResolve }) {
    onResolve({ filter: /\/entry\/start\.ts$/ }, () => ({ path: "./verbs.cjs", external: true }));
  },
};

const common: BuildOptions & { write: false } = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22.18",
  minify: true,
  legalComments: "none",
  logLevel: "error",
  write: false,
};

/** @returns the path of the entry; running it once fills its compile cache */
export async function buildKbClaim(folder: string): Promise<string> {
  const options = {
    entryPoints: [join(here, "src/entry/start.ts")],
    plugins: [oneLanguage, noJsonSchema, noFetch, leanIndexes, onFirstUse],
  };
  const verbs = await bundleOf(options);
  const id = createHash("sha256").update(verbs).digest("hex").slice(0, 16);
  const define = { KB_CLAIM_BUILD: JSON.stringify(id) };
  const defined = await bundleOf({ ...options, define });
  const entry = await bundleOf({
    entryPoints: [join(here, "src/main.ts")],
    plugins: [verbsApart],
    // A native import() would start the ES module loader for a CommonJS file.
    supported: { "dynamic-import": false },
    define,
  });
  await mkdir(folder, { recursive: true });
  for (const library of LATE_LIBRARIES) {
    const contents = `export * from "${library}"; export { default } from "${library}";`;
    const stdin = { contents, resolveDir: join(here, "../kb-client/src") };
    if (library === "yaml") stdin.resolveDir = join(here, "../fabric/src");
    await replace(
      join(folder, `late-${library}.cjs`),
      await bundleOf({ stdin, plugins: [noFetch] }),
    );
  }
  await replace(join(folder, "verbs.cjs"), defined);
  const path = join(folder, "kb-claim.cjs");
  await replace(path, entry);
  execFileSync(process.execPath, [path, "--help"], { stdio: "ignore" });
  return path;
}

async function bundleOf(options: BuildOptions): Promise<Uint8Array> {
  const { outputFiles } = await build({ ...common, ...options });
  const file = outputFiles?.[0];
  if (!file) throw new Error("esbuild made no file");
  return file.contents;
}

async function replace(path: string, contents: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const path = await buildKbClaim(resolve(values.out ?? join(here, "../../.fabric/dist")));
  process.stdout.write(`${path}\n`);
}
