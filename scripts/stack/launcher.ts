// .fabric/bin/kb-claim: the bundle, because reading two hundred source files takes longer than most commands.
import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import type { Progress } from "./progress.ts";
import { runCommand } from "./run-command.ts";
import { Stop } from "./stop.ts";

/** @returns the folder for the PATH */
export async function makeLauncher(layout: Layout, progress: Progress): Promise<string> {
  const kbClaim = join(layout.repo, "packages", "kb-claim");
  const dist = join(layout.home, "dist");
  try {
    const args = [join(kbClaim, "build.ts"), "--out", dist];
    const log = layout.log("kb-claim-build");
    await runCommand(process.execPath, args, { log, failing: "kb-claim could not be bundled" });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    progress.say(`  note: ${error.message}, so it starts from its source, which is slower`);
  }
  const bin = join(layout.home, "bin");
  await mkdir(bin, { recursive: true });
  const file = join(bin, "kb-claim");
  const source = join(kbClaim, "src", "main.ts");
  await writeFile(`${file}.new`, script(layout, join(dist, "kb-claim.cjs"), source));
  await chmod(`${file}.new`, 0o755);
  await rename(`${file}.new`, file);
  return bin;
}

function script(layout: Layout, bundled: string, source: string): string {
  return `#!/bin/sh
export FABRIC_HOME="\${FABRIC_HOME:-${layout.home}}"
if [ -r "${bundled}" ]; then exec "${process.execPath}" "${bundled}" "$@"; fi
exec "${process.execPath}" "${source}" "$@"
`;
}
