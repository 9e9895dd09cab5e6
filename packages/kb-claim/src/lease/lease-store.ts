// Lease files on disk: one per agent, queue, task and session, readable by their owner only, replaced atomically.
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FabricError, type TaskId } from "@agap/kb-client";
import { formatLease, type LeaseFile, parseLease } from "./lease-file.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

export class LeaseStore {
  readonly #folder: string;
  readonly #session: string;

  /** @param home the state folder; @param agent as the ledger writes it; @param session as a file name may hold it */
  constructor(home: string, agent: string, session: string) {
    this.#folder = join(home, "leases", agent);
    this.#session = session;
  }

  get session(): string {
    return this.#session;
  }

  /** @throws FabricError `LEASE_UNWRITABLE`; the earlier file, if any, is untouched then */
  async write(lease: LeaseFile): Promise<void> {
    const path = this.#path(lease);
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER });
      await writeDurably(temporary, formatLease(lease));
      await rename(temporary, path);
      await syncFolder(this.#folder);
    } catch (cause) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw new FabricError(`the lease file ${path} could not be written`, {
        code: "LEASE_UNWRITABLE",
        retryable: "no",
        hint: "Free some disk space or set FABRIC_HOME to a folder that this user may write.",
        cause,
      });
    }
  }

  async remove(lease: Pick<LeaseFile, "queue" | "task">): Promise<void> {
    await rm(this.#path(lease), { force: true });
  }

  /** Of every session of this agent; files that are no lease are passed over. */
  async all(): Promise<LeaseFile[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const leases: LeaseFile[] = [];
    for (const name of names.toSorted()) {
      if (!name.endsWith(".json")) continue;
      // Another command of this session may remove it between the two calls.
      const text = await readFile(join(this.#folder, name), "utf8").catch(() => "");
      const lease = parseLease(text);
      if (lease) leases.push(lease);
    }
    return leases;
  }

  /** Of this session. */
  async mine(): Promise<LeaseFile[]> {
    return (await this.all()).filter((lease) => lease.session === this.#session);
  }

  #path({ queue, task }: { queue: string; task: { id: TaskId } }): string {
    return join(this.#folder, `${queue}-${task.id}-${this.#session}.json`);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "w", PRIVATE_FILE);
  await withClosing(file, async () => {
    await file.writeFile(text);
    await file.sync();
  });
}

/** The rename is durable once the folder is; some file systems refuse to sync a folder, which is no failure. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => null);
  if (folder) await withClosing(folder, () => folder.sync().catch(() => undefined));
}

async function withClosing(file: FileHandle, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await file.close();
  }
}
