// A result is a task file named after the claim that made it; it counts only when a `d` slot names that claim.
import type { FileId, TaskId } from "../ids.ts";
import type { ClaimRef } from "../ledger/index.ts";
import { resultFileName } from "../projection/index.ts";
import { downloadTaskFile, getAllTaskFiles, type KanboardClient } from "../rpc/index.ts";

/** The id of the file that holds this claim's result; null when there is none. */
export async function findResultFile(
  client: KanboardClient,
  task: TaskId,
  claim: ClaimRef,
  signal?: AbortSignal,
): Promise<FileId | null> {
  const files = await client.call(getAllTaskFiles(task), { purpose: "read", signal });
  return files.find((file) => file.name === resultFileName(claim))?.id ?? null;
}

export async function findResult(
  client: KanboardClient,
  task: TaskId,
  claim: ClaimRef,
  signal?: AbortSignal,
): Promise<string | null> {
  const id = await findResultFile(client, task, claim, signal);
  return id === null ? null : client.call(downloadTaskFile(id), { purpose: "read", signal });
}
