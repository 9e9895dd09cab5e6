// What set-up learned about a board: ids only, because titles are translated and identify nothing. Kept in the state
// folder as board.yaml; no secret is in it.
import type { ColumnId } from "@agap/kb-client";
import { stringify } from "yaml";
import { z } from "zod";
import { parseConfig } from "./queue-config.ts";

const id = z.int().min(1);

const columns = z.strictObject({
  backlog: id,
  ready: id,
  wip: id,
  done: id,
  deadLetter: id.optional(),
});

export const boardConfig = z.strictObject({
  /** Base address of the board as people open it. */
  url: z.url(),
  ledger: z.strictObject({
    uuid: z.string().regex(/^[0-9a-f]{32}$/),
    firstProject: id,
    shards: z.int().min(1).max(64),
  }),
  queues: z.record(z.string(), z.strictObject({ project: id, columns })).default({}),
  /** A person's inbox is a column of a project. */
  inboxes: z.record(z.string(), z.strictObject({ project: id, column: id })).default({}),
});

export type BoardConfig = z.output<typeof boardConfig>;
export type QueueColumnIds = { [K in keyof z.output<typeof columns>]: ColumnId };

export function parseBoardConfig(text: string, from: string): BoardConfig {
  return parseConfig(boardConfig, text, from);
}

export function formatBoardConfig(config: BoardConfig): string {
  return stringify(config);
}
