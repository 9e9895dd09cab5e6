// kb-claim: the entry. `--version` is answered before anything else is loaded.
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { BUILD_ID } from "./entry/build-id.ts";
import { VERSION } from "./version.ts";

const args = process.argv.slice(2);
if (args[0] === "--version" || args[0] === "-V") {
  process.stdout.write(`kb-claim ${VERSION}\n`);
} else {
  // Compiling a verb takes 25 ms, reading it compiled takes 5. The run that fills the cache decides which functions are
  // in it, so that must not be one for the help.
  const isHelp = args.length === 0 || args.some((arg) => arg === "--help" || arg === "-h");
  if (BUILD_ID !== undefined && !isHelp) {
    enableCompileCache(join(dirname(process.argv[1] ?? ""), "cache"));
  }
  // Zod compiles its parsers, which pays from hundreds of rows on; a command reads a dozen. It looks here while its
  // first schema is made, which no later call can precede.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  void import("./entry/start.ts").then(({ start }) => start(args, process.env));
}
