// What was started: enough to find exactly that process again, and to never mistake another one for it.
import { existsSync, readFileSync } from "node:fs";
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

/** null when the process is gone or only waits to be reaped. */
export function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name is in parentheses and may hold blanks; the state follows it, the start time is field 22 of proc(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

export function isAlive(entry: ProcessRecord): boolean {
  return startTicks(entry.pid) === entry.startTicks;
}
