// Releases of LiteLLM that steal credentials. Checked against what is installed, before every start.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Stop } from "./stop.ts";

const COMPROMISED = new Set(["1.82.7", "1.82.8", "1.107.0"]);

/** Reads the folder names only: a compromised release runs code as soon as its Python starts. */
export function installedLiteLLM(venv: string): string | null {
  for (const python of list(join(venv, "lib"))) {
    for (const entry of list(join(venv, "lib", python, "site-packages"))) {
      const found = /^litellm-(\d[^-]*)\.dist-info$/.exec(entry);
      if (found?.[1] !== undefined) return found[1];
    }
  }
  return null;
}

/** @throws Stop when the version is one of them */
export function refuseCompromised(version: string | null): void {
  if (version === null || !COMPROMISED.has(version)) return;
  throw new Stop(EXIT.internal, `LiteLLM ${version} is a compromised release and is not started`, [
    "Remove the state folder's parts/litellm and run scripts/up again: it installs the release of the lock file.",
    "Change every credential that this version may have seen.",
  ]);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
