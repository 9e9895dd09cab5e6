// The configuration that a command needs: the board, the credential file, and the rules of a queue.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FabricError, type QueueRules } from "@agap/kb-client";
import { type BoardConfig, parseBoardConfig, parseQueueConfig, rulesOf } from "@agap/fabric";

/** @throws FabricError `CLI_HOME_MISSING`, `CONFIG_INVALID` */
export async function readBoard(home: string): Promise<BoardConfig> {
  const path = join(home, "board.yaml");
  const text = await readIfThere(path);
  if (text === null) throw homeMissing(`there is no ${path}`);
  return parseBoardConfig(text, path);
}

export function homeMissing(what: string): FabricError {
  return new FabricError(what, {
    code: "CLI_HOME_MISSING",
    retryable: "no",
    hint: "Run scripts/up first, or set FABRIC_HOME to the .fabric folder of the fabric you mean.",
  });
}

/**
 * The same file that the queue's workers read, because their reaper judges a lease by it: a longer one of our own would
 * be a promise that nobody keeps. Without a file its defaults hold for the workers, too.
 */
export async function readRules(home: string, queue: string): Promise<QueueRules> {
  const folders = [join(home, "queues"), join(home, "..", "workers", "queues")];
  for (const folder of folders) {
    const path = join(folder, `${queue}.yaml`);
    const text = await readIfThere(path);
    if (text !== null) return rulesOf(parseQueueConfig(text, path));
  }
  const defaults = `queue: ${JSON.stringify(queue)}\nexecutor: { kind: noop }\n`;
  return rulesOf(parseQueueConfig(defaults, "the built-in defaults"));
}

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new FabricError(`${path} can't be read`, {
      code: "CONFIG_INVALID",
      retryable: "no",
      hint: "Check its permissions: it belongs to the user who ran scripts/up.",
      cause,
    });
  }
}
