// The configuration that a command needs: the board, the credential file, and the rules of a queue.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FabricError, type QueueRules } from "@agap/kb-client";
import type { BoardConfig } from "@agap/fabric";
import { BUILD_ID } from "../entry/build-id.ts";
import { type ParsedCache, parseOnce } from "./parsed-cache.ts";

/** @throws FabricError `CLI_HOME_MISSING`, `CONFIG_INVALID` */
export async function readBoard(home: string): Promise<BoardConfig> {
  const path = join(home, "board.yaml");
  const text = readIfThere(path);
  if (text === null) throw homeMissing(`there is no ${path}`);
  return parseOnce(cacheIn(home), "board", text, async () => {
    const { parseBoardConfig } = await import("@agap/fabric/config");
    return parseBoardConfig(text, path);
  });
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
  let text = `queue: ${JSON.stringify(queue)}\nexecutor: { kind: noop }\n`;
  let from = "the built-in defaults";
  for (const folder of [join(home, "..", "workers", "queues"), join(home, "queues")]) {
    const path = join(folder, `${queue}.yaml`);
    const found = readIfThere(path);
    if (found !== null) [text, from] = [found, path];
  }
  return parseOnce(cacheIn(home), `queue-${queue}`, text, async () => {
    const { parseQueueConfig, rulesOf } = await import("@agap/fabric/config");
    return rulesOf(parseQueueConfig(text, from));
  });
}

function cacheIn(home: string): ParsedCache | null {
  return BUILD_ID === undefined
    ? null
    : { folder: join(home, "cache", "kb-claim"), build: BUILD_ID };
}

/** Small files, read once per command: waiting for the thread pool would take longer than reading. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
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
