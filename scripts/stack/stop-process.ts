// Ends a process that was started by scripts/up, with its group, and no other.
import { systemClock } from "@agap/kb-client";
import { groupLives, isAlive, type ProcessRecord } from "./process-record.ts";

/** A worker finishes or hands back what it holds; after that long it is killed and its lease runs out. */
const WORKER_PATIENCE_MS = 30_000;
/** The others have nothing to lose; LiteLLM may wait for ever for a connection that somebody keeps open. */
const PATIENCE_MS = 5000;

/** @returns how it ended */
export async function stopProcess(entry: ProcessRecord): Promise<"stopped" | "killed" | "gone"> {
  if (!isAlive(entry)) return "gone";
  signalGroup(entry.pid, "SIGTERM");
  if (await ended(entry, entry.name.startsWith("worker-") ? WORKER_PATIENCE_MS : PATIENCE_MS))
    return "stopped";
  signalGroup(entry.pid, "SIGKILL");
  await ended(entry, 5000);
  return "killed";
}

async function ended(entry: ProcessRecord, within: number): Promise<boolean> {
  const until = systemClock.monotonic() + within;
  while (systemClock.monotonic() < until) {
    if (!groupLives(entry.pid)) return true;
    await systemClock.sleep(50);
  }
  return false;
}

/** The group's number can't be given to a new process while one of its members lives. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone in the meantime.
  }
}
