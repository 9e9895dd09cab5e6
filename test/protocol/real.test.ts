// The protocol on a real Kanboard (SQLite), agents with user tokens.
import { after, describe } from "node:test";
import { TestFabric } from "../harness/fabric.ts";
import { startTestKanboard, whyNoKanboard } from "../harness/kanboard.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { realBoard } from "../harness/real-board.ts";
import { claimTests } from "./claims.ts";
import { gestureRaceTests, gestureTableTests } from "./gestures.ts";
import { queueRuleTests } from "./queue-rules.ts";
import type { Setup } from "./setup.ts";

const skip = whyNoKanboard();

describe("the protocol on a real Kanboard", { skip }, () => {
  const kanboard = skip === false ? startTestKanboard() : null;
  after(async () => (await kanboard)?.stop());
  let made: Promise<Setup> | undefined;
  const create = async (): Promise<Setup> => {
    if (kanboard === null) throw new Error("skipped");
    const clock = new ManualClock();
    const fabric = await TestFabric.create(realBoard(await kanboard, clock));
    const agent = await fabric.agent("local-1");
    return { fabric, agent, queue: await fabric.queue(agent), clock };
  };
  const setup = (): Promise<Setup> => (made ??= create());
  claimTests(setup);
  gestureTableTests(setup);
  gestureRaceTests(setup);
  queueRuleTests(setup);
});
