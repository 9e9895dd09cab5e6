// The ledger's binding as the board's configuration states it.
import type { LedgerBinding, ProjectId } from "@agap/kb-client";
import type { BoardConfig } from "./board-config.ts";

export function bindingOf(config: Pick<BoardConfig, "ledger">): LedgerBinding {
  const { uuid, firstProject, shards } = config.ledger;
  return { uuid, firstProject: firstProject as ProjectId, shards };
}
