// Which ledger a board's queues belong to, and in which of its projects a task's log is kept.
import { FabricError } from "../errors.ts";
import type { ProjectId, TaskId } from "../ids.ts";

/** Write-once tag on every queue project and every ledger project, and once for the whole board. */
export const BINDING_TAG = "fabric.ledger";

export interface LedgerBinding {
  /** 32 hexadecimal digits. */
  uuid: string;
  /** The ledger's projects are `shards` consecutive ids from here; ids, never titles, find the ledger. */
  firstProject: ProjectId;
  shards: number;
}

const pattern = /^([0-9a-f]{32}):(\d+):(\d+)$/;

export function encodeBinding(binding: LedgerBinding): string {
  return `${binding.uuid}:${binding.firstProject}:${binding.shards}`;
}

export function parseBinding(payload: string | null): LedgerBinding | null {
  const match = pattern.exec(payload ?? "");
  if (!match) return null;
  const shards = Number(match[3]);
  if (shards < 1) return null;
  return { uuid: match[1] ?? "", firstProject: Number(match[2]) as ProjectId, shards };
}

export function shardOf(binding: LedgerBinding, task: TaskId): ProjectId {
  return (binding.firstProject + (task % binding.shards)) as ProjectId;
}

export function shardProjects(binding: LedgerBinding): ProjectId[] {
  return Array.from({ length: binding.shards }, (_, i) => (binding.firstProject + i) as ProjectId);
}

/**
 * Two ledgers on one board would be two winners for every task, so anything but the expected value stops the caller.
 * @throws FabricError `LEDGER_UNBOUND`, `LEDGER_FOREIGN`
 */
export function assertBound(
  expected: LedgerBinding,
  tags: Iterable<{ name: string; color: string | null }>,
  where: string,
): void {
  const tag = [...tags].find((candidate) => candidate.name === BINDING_TAG);
  if (!tag) {
    throw new FabricError(`${where} carries no ${BINDING_TAG} tag`, {
      code: "LEDGER_UNBOUND",
      retryable: "no",
      hint: "Run scripts/up again to bind it; never create the tag by hand.",
    });
  }
  const found = parseBinding(tag.color);
  if (found === null || encodeBinding(found) !== encodeBinding(expected)) {
    throw new FabricError(
      `${where} belongs to ledger ${found?.uuid ?? "(unreadable)"}, this program to ${expected.uuid}`,
      {
        code: "LEDGER_FOREIGN",
        retryable: "no",
        hint: "Point this program at the board it was set up for, or set it up anew to join that board's ledger.",
      },
    );
  }
}
