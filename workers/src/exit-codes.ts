// With which code a worker ends; a supervisor should restart it after 1 only.
import { isFabricError } from "@agap/kb-client";

export function exitCodeOf(error: unknown): number {
  if (!isFabricError(error)) return 1;
  if (error.code === "WORKER_USAGE") return 64;
  if (error.code === "CONFIG_INVALID" || error.code === "WORKER_NOT_SET_UP") return 65;
  if (error.code.startsWith("QUEUE_")) return 66;
  if (["KB_UNAUTHORIZED", "KB_FORBIDDEN", "WORKER_NO_CREDENTIAL"].includes(error.code)) return 77;
  if (error.code.startsWith("LEDGER_")) return 78;
  return 1;
}
