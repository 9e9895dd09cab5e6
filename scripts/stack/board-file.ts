// .fabric/board.yaml: what set-up has learned about the board, kept after every step so that an interrupted one resumes.
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { type BoardConfig, formatBoardConfig, parseBoardConfig } from "@agap/fabric";
import type { Layout } from "./layout.ts";

export function readBoard(layout: Layout): BoardConfig | null {
  if (!existsSync(layout.boardFile)) return null;
  return parseBoardConfig(readFileSync(layout.boardFile, "utf8"), layout.boardFile);
}

export async function writeBoard(layout: Layout, board: BoardConfig): Promise<void> {
  await writeFile(`${layout.boardFile}.new`, formatBoardConfig(board));
  await rename(`${layout.boardFile}.new`, layout.boardFile);
}
