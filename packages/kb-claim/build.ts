// Makes kb-claim a bundle that starts almost as fast as bare node. CommonJS, because Node reads it without its ES
// module loader; a file for each verb, so that a command reads only what it uses: `--version` none but the entry.
// Usage: node packages/kb-claim/build.ts [--out DIR]   (.fabric/dist of this checkout by default)
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { COMMANDS } from "./src/commands/index.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const VERBS = Object.keys(COMMANDS);

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
 * Parts of node that most commands never use are loaded with their first use: crypto takes 12 ms, child_process 7,
 * fs/promises 4. The stand-ins name what is used of each; anything else fails the build.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  "node:crypto": ["randomBytes", "randomInt", "createHash"].map(passOn).join(""),
  "node:child_process": `${passOn("execFileSync")} export default { spawn: (...args) => real().spawn(...args) };`,
  "node:fs/promises": ["mkdir", "open", "readdir", "readFile", "rename", "rm", "stat"]
    .map(passOn)
    .join(""),
};

function passOn(name: string): string {
  return `export const ${name} = (...args) => real().${name}(...args);`;
}

const onFirstUse: Plugin = {
  name: "on-first-use",
  setup({ onResolve, onLoad }) {
    const names = Object.keys(STAND_INS).join("|");
    onResolve({ filter: new RegExp(`^(?:${names})$`) }, ({ path }) => ({
      path,
      namespace: "on-first-use",
    }));
    onLoad({ filter: /.*/, namespace: "on-first-use" }, ({ path }) => {
      const real = `const real = () => process.getBuiltinModule(${JSON.stringify(path)});`;
      return { contents: `${real}\n${STAND_INS[path] ?? ""}` };
    });
  },
};

/**
 * What few commands need is a file of its own: reading configuration that was changed, with yaml; https and proxies,
 * with axios. Errors are one, too, since all of them must throw and know the same class.
 */
const APART: Readonly<Record<string, { filter: RegExp; entry: string }>> = {
  errors: { filter: /\/errors\.ts$/, entry: "../kb-client/src/errors.ts" },
  "late-config": { filter: /^@agap\/fabric\/config$/, entry: "../fabric/src/config/index.ts" },
  "late-proxied": { filter: /\/proxied\.ts$/, entry: "src/entry/proxied.ts" },
};

const apart: Plugin = {
  name: "apart",
  setup({ onResolve, onLoad }) {
    for (const [name, { filter }] of Object.entries(APART)) {
      onResolve({ filter }, ({ kind }) => {
        if (kind === "entry-point") return undefined;
        const path = `./${name}.cjs`;
        return kind === "import-statement"
          ? { path, namespace: "apart" }
          : { path, external: true };
      });
    }
    // Named, because `export *` of a file that it doesn't see makes esbuild keep all of every index.
    onLoad({ filter: /errors/, namespace: "apart" }, ({ path }) => ({
      contents: `export const { FabricError, isFabricError } = require(${JSON.stringify(path)});`,
    }));
    onResolve({ filter: /^\.\/errors\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Imports the given verbs at once, so that the bundle is one scope and what they don't use is left out. */
function only(verbs: readonly string[]): Plugin {
  return {
    name: "only",
    setup({ onLoad }) {
      onLoad({ filter: /kb-claim\/src\/commands\/index\.ts$/ }, () => {
        const imports = verbs.map((verb, i) => `import { command as c${i} } from "./${verb}.ts";`);
        const entries = verbs.map((verb, i) => `${JSON.stringify(verb)}: async () => c${i},`);
        const contents = `${imports.join("\n")}\nexport const COMMANDS = {${entries.join("\n")}};`;
        return { contents, loader: "ts" };
      });
    },
  };
}

/** The entry leaves everything but `--version` to the file of the verb, or to the one with all of them. */
const verbsApart: Plugin = {
  name: "verbs-apart",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/entry\/start\.ts$/ }, () => ({ path: "start", namespace: "verbs" }));
    onLoad({ filter: /.*/, namespace: "verbs" }, () => ({
      contents: `const verb = process.argv[2];
        const file = ${JSON.stringify(VERBS)}.includes(verb) ? "./verb-" + verb + ".cjs" : "./verbs.cjs";
        module.exports = require(file);`,
    }));
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
  // A native import() would start the ES module loader for a CommonJS file.
  supported: { "dynamic-import": false },
};

/** @returns the path of the entry */
export async function buildKbClaim(folder: string): Promise<string> {
  const files = await bundles({});
  const hash = createHash("sha256");
  for (const contents of files.values()) hash.update(contents);
  const define = { KB_CLAIM_BUILD: JSON.stringify(hash.digest("hex").slice(0, 16)) };
  await mkdir(folder, { recursive: true });
  for (const [name, contents] of await bundles(define)) {
    await replace(join(folder, `${name}.cjs`), contents);
  }
  const entry = { entryPoints: [join(here, "src/main.ts")], plugins: [verbsApart], define };
  const path = join(folder, "kb-claim.cjs");
  await replace(path, await bundleOf(entry));
  execFileSync(process.execPath, [path, "--help"], { stdio: "ignore" });
  return path;
}

/** Everything but the entry, by file name. */
async function bundles(define: Record<string, string>): Promise<Map<string, Uint8Array>> {
  const made = new Map<string, Uint8Array>();
  for (const [name, { entry }] of Object.entries(APART)) {
    const plugins = [noFetch, apart];
    made.set(name, await bundleOf({ entryPoints: [join(here, entry)], plugins }));
  }
  const start = [join(here, "src/entry/start.ts")];
  const sets = [
    ["verbs", VERBS] as const,
    ...VERBS.map((verb) => [`verb-${verb}`, [verb]] as const),
  ];
  for (const [name, verbs] of sets) {
    const plugins = [only(verbs), apart, onFirstUse];
    made.set(name, await bundleOf({ entryPoints: start, plugins, define }));
  }
  return made;
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
