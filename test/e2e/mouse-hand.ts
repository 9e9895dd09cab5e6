// The hand of the gesture tests as a mouse in a real browser.
import assert from "node:assert/strict";
import { getMe, KanboardClient, updateTask } from "@agap/kb-client";
import { secondAfter, type MakeHand } from "../protocol/hand.ts";
import type { BoardPage } from "./board-page.ts";

/** @param login of a person who is a member of the queue */
export function mouseHand(page: BoardPage): MakeHand {
  return async (fabric) => ({
    async drag(queue, card, to) {
      const column = queue.columns[to];
      assert.ok(column);
      await secondAfter(fabric.app, card.dateMoved);
      await page.board(queue.project);
      await page.drag(card.id, column.id);
    },
    close: (card) => page.closeCard(card.id),
    reopen: (card) => page.reopenCard(card.id),
    async take(card) {
      const client = new KanboardClient(await fabric.board.user("admin"), fabric.board);
      const me = await client.call(getMe(), { purpose: "read" });
      await fabric.app.call(updateTask(card.id, { ownerId: me.id }), { purpose: "setup" });
      return me.id;
    },
  });
}
