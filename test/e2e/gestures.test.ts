// Every gesture of the table, made with a mouse in a real browser on a real Kanboard.
import { after, describe } from "node:test";
import { addProjectUser, getUserByName } from "@agap/kb-client";
import { TestFabric } from "../harness/fabric.ts";
import { startTestKanboard, whyNoKanboard } from "../harness/kanboard.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { realBoard } from "../harness/real-board.ts";
import { gestureTableTests } from "../protocol/gestures.ts";
import type { Setup } from "../protocol/setup.ts";
import { BoardPage, findChromium } from "./board-page.ts";
import { mouseHand } from "./mouse-hand.ts";

const executable = findChromium();
const skip =
  whyNoKanboard() ||
  (executable === null ? "no Chromium here: install the package chromium" : false);

describe("gestures with the mouse", { skip }, () => {
  const kanboard = skip === false ? startTestKanboard() : null;
  let page: Promise<BoardPage> | undefined;
  after(async () => {
    await (await page)?.close();
    await (await kanboard)?.stop();
  });
  let made: Promise<Setup> | undefined;
  const create = async (): Promise<Setup> => {
    if (kanboard === null || executable === null) throw new Error("skipped");
    const { url } = await kanboard;
    const clock = new ManualClock();
    const fabric = await TestFabric.create(realBoard(await kanboard, clock));
    const agent = await fabric.agent("local-1");
    const queue = await fabric.queue(agent);
    const admin = await fabric.app.call(getUserByName("admin"), { purpose: "setup" });
    if (admin === null) throw new Error("a fresh Kanboard has an administrator");
    const member = addProjectUser(queue.project, admin.id, "project-manager");
    await fabric.app.call(member, { purpose: "setup" });
    page = BoardPage.open(url, executable);
    await (await page).login("admin", "admin");
    return { fabric, agent, queue, clock };
  };
  const setup = (): Promise<Setup> => (made ??= create());
  gestureTableTests(setup, async (fabric, queue) => {
    await setup();
    if (page === undefined) throw new Error("the browser was not started");
    return mouseHand(await page)(fabric, queue);
  });
});
