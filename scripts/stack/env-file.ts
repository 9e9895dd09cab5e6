// The state folder's .env: NAME="value" lines, mode 600, replaced as a whole.
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";

/** `worker-local` -> `KANBOARD_TOKEN_WORKER_LOCAL`, as kb-claim and the workers look it up. */
export function tokenVariable(username: string): string {
  return `KANBOARD_TOKEN_${username.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

export function readEnvFile(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").split("\n");
  const pairs = lines
    .filter((line) => /^[A-Z][A-Z0-9_]*=/.test(line))
    .map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at), line.slice(at + 1).replace(/^"(.*)"$/, "$1")];
    });
  return Object.fromEntries(pairs) as Record<string, string>;
}

export async function writeEnvFile(file: string, values: Record<string, string>): Promise<void> {
  const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"`);
  const head =
    "# Secrets of this stack, made by scripts/up. Lines may be added; what is here is kept.";
  await writeFile(`${file}.new`, `${head}\n${lines.join("\n")}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
