// Where the ledger wants a card: the projection that each head asks for.
import type { Slot } from "../ledger/index.ts";
import type { ColumnRole } from "../queue/layout.ts";
import type { Wait } from "./card-fields.ts";

export interface Target {
  role: Exclude<ColumnRole, "other">;
  /** `agent`: the writer of the slot; `nobody`: taken off; `keep`: as it is. */
  owner: "agent" | "nobody" | "keep";
  /** Tag that the card must carry. */
  tag?: "blocked" | "deadLetter";
}

/**
 * Null where the ledger has no opinion: the card stays where its person put it (taken, reopened, canceled, verified,
 * or never claimed at all).
 */
export function targetOf(head: Slot | null, wait: Wait | null): Target | null {
  switch (head?.kind) {
    case "c":
      return { role: "wip", owner: "agent" };
    case "d":
      return { role: "done", owner: "agent" };
    case "x":
    case "r":
    case "u":
      return { role: "ready", owner: "nobody" };
    case "f":
      return { role: "backlog", owner: "nobody" };
    case "p":
      return wait !== null && "until" in wait
        ? { role: "backlog", owner: "nobody" }
        : { role: "wip", owner: "nobody", tag: "blocked" };
    case "k":
      return { role: "deadLetter", owner: "nobody", tag: "deadLetter" };
    default:
      return null;
  }
}
