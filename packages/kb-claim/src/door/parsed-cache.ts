// Remembers what a configuration file was parsed to: reading the YAML and checking it takes 30 ms, comparing it with
// the text that was parsed before takes none.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface ParsedCache {
  /** The folder that holds it. */
  folder: string;
  /** Of this program: another one may check differently. */
  build: string;
}

/** @param cache null to parse every time */
export async function parseOnce<T>(
  cache: ParsedCache | null,
  name: string,
  text: string,
  parse: () => Promise<T>,
): Promise<T> {
  if (cache === null) return parse();
  const path = join(cache.folder, `${name}.json`);
  const remembered = read<T>(path);
  if (remembered?.build === cache.build && remembered.text === text) return remembered.value;
  const value = await parse();
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(cache.folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, JSON.stringify({ build: cache.build, text, value }), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    // A cache that can't be written is no fault: the next command parses again.
  }
  return value;
}

function read<T>(path: string): { build: string; text: string; value: T } | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { build: string; text: string; value: T };
  } catch {
    return null;
  }
}
