// What was started: enough to find exactly that process again, and to never mistake another one for it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { Layout } from "./layout.ts";

const record = z.object({
  name: z.string(),
  /** Leads a process group of its own. */
  pid: z.int(),
  /** Start of the process in ticks since boot: a reused pid has another one. */
  startTicks: z.string(),
  address: z.string(),
  version: z.string(),
  log: z.string(),
  /** Changes when the part has to be started anew: command, settings, secrets. */
  fingerprint: z.string(),
});

export type ProcessRecord = z.output<typeof record>;

/** The same names as in processes.sh, which stops and shows them. */
export type ServiceName = "worker-local" | "litellm" | "llama" | "kanboard";

export function readRecord(layout: Layout, name: string): ProcessRecord | null {
  const file = layout.record(name);
  if (!existsSync(file)) return null;
  try {
    return record.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

/** Readable by ports.sh: one field a line. */
export async function writeRecord(layout: Layout, entry: ProcessRecord): Promise<void> {
  const file = layout.record(entry.name);
  await writeFile(`${file}.new`, `${JSON.stringify(entry, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

/** Field 22 of proc(5); null when the process is gone or only waits to be reaped. */
export function startTicks(pid: number): string | null {
  const fields = statFields(pid);
  return fields === null || fields[0] === "Z" ? null : (fields[19] ?? null);
}

/** Whether a process group has a member left; zombies don't count, nobody may ever reap them. */
export function groupLives(group: number): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      const fields = statFields(Number(pid));
      return fields !== null && fields[0] !== "Z" && Number(fields[2]) === group;
    });
}

/** Fields of proc(5) from the state on, which follows the name in parentheses. */
function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

export function isAlive(entry: ProcessRecord): boolean {
  return startTicks(entry.pid) === entry.startTicks;
}
