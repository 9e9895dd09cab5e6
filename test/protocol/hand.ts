// A person's hand on the board: the same gestures by the board's API or by a mouse in a browser.
import assert from "node:assert/strict";
import {
  addProjectUser,
  closeTask,
  createUser,
  getMe,
  getVersion,
  KanboardClient,
  moveTaskPosition,
  openTask,
  type Queue,
  type QueueColumns,
  type Task,
  updateTask,
  type UserId,
} from "@agap/kb-client";
import type { TestFabric } from "../harness/fabric.ts";

const options = { purpose: "setup" } as const;

type Draggable = keyof QueueColumns;

export interface Hand {
  drag(queue: Queue, card: Task, to: Draggable): Promise<void>;
  close(card: Task): Promise<void>;
  reopen(card: Task): Promise<void>;
  /** Assigns the card to this person. */
  take(card: Task): Promise<UserId>;
}

export type MakeHand = (fabric: TestFabric, queue: Queue) => Promise<Hand>;

/** A person with an account of their own; a drag is what the board's own script sends for one. */
export const apiHand: MakeHand = async (fabric, queue) => {
  const { board, app } = fabric;
  const username = `person${board.random.base36(5)}`;
  const password = board.random.base36(20);
  const id = await app.call(createUser({ username, password, name: "" }), options);
  assert.ok(id);
  await app.call(addProjectUser(queue.project, id, "project-member"), options);
  const client = new KanboardClient(await board.user(username), board);
  return {
    async drag(on, card, to) {
      const column = on.columns[to];
      assert.ok(column);
      await secondAfter(client, card.dateMoved);
      const move = moveTaskPosition({
        projectId: on.project,
        taskId: card.id,
        columnId: column.id,
        position: 1,
        swimlaneId: card.swimlaneId,
      });
      assert.equal(await client.call(move, options), true);
    },
    async close(card) {
      await client.call(closeTask(card.id), options);
    },
    async reopen(card) {
      await client.call(openTask(card.id), options);
    },
    async take(card) {
      const me = await client.call(getMe(), options);
      await client.call(updateTask(card.id, { ownerId: me.id }), options);
      return me.id;
    },
  };
};

/** Kanboard's times have whole seconds: a person's drag is never in the second in which the card was made. */
export async function secondAfter(client: KanboardClient, dateMoved: number): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    await client.call(getVersion(), { purpose: "read" });
    if (Math.floor(client.serverNow() / 1000) > dateMoved) return;
  }
  assert.fail("the board's clock stands still");
}
