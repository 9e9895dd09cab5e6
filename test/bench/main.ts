// `pnpm bench [names] [--json]`: every figure is a count, or a ratio of two things measured in the same run.
import { capacity } from "./capacity.ts";
import { cliStart } from "./cli-start.ts";
import { idleCost } from "./idle-cost.ts";
import { lifecycleCost } from "./lifecycle-cost.ts";
import { type Figure, print } from "./report.ts";

const BENCHES: Record<string, () => Promise<Figure[]>> = {
  lifecycle: lifecycleCost,
  capacity,
  idle: idleCost,
  cli: cliStart,
};

const args = process.argv.slice(2);
const json = args.includes("--json");
const wanted = args.filter((arg) => !arg.startsWith("--"));
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}\n`,
  );
  process.exit(64);
}
const all: Figure[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const figures = await bench();
  print(figures, json);
  all.push(...figures);
}
process.exitCode = all.every((figure) => figure.ok) ? 0 : 1;
