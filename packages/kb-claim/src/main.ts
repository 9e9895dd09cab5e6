// kb-claim: the entry. `--version` is answered before anything else is loaded.
import { VERSION } from "./version.ts";

const args = process.argv.slice(2);
if (args[0] === "--version" || args[0] === "-V") {
  process.stdout.write(`kb-claim ${VERSION}\n`);
} else {
  void import("./entry/start.ts").then(({ start }) => start(args, process.env));
}
