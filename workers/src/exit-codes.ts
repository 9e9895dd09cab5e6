// With which code a worker ends; the table is in docs/workers.md. A supervisor should restart it after 1 only: the
// others need a person first.
import { isFabricError } from "@agap/kb-client";

const CONFIGURATION = [
  "CONFIG_INVALID",
  "WORKER_NOT_SET_UP",
  "KB_BAD_URL",
  "KB_REDIRECTED",
  "KB_TLS",
  "KB_UNKNOWN_METHOD",
];
const CREDENTIAL = ["KB_UNAUTHORIZED", "KB_FORBIDDEN", "WORKER_NO_CREDENTIAL"];

export function exitCodeOf(error: unknown): number {
  if (!isFabricError(error)) return 1;
  const { code } = error;
  if (code === "WORKER_USAGE") return 64;
  if (CONFIGURATION.includes(code)) return 65;
  if (code.startsWith("QUEUE_")) return 66;
  if (CREDENTIAL.includes(code)) return 77;
  if (code.startsWith("LEDGER_")) return 78;
  return 1;
}
