// The protocol on the in-memory Kanboard: the same tests as on the real one, in a second.
import { describe } from "node:test";
import { TestFabric } from "../harness/fabric.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { memoryBoard } from "../harness/memory-board.ts";
import { busyBoardTests } from "./busy-board.ts";
import { claimTests } from "./claims.ts";
import { gestureRaceTests, gestureTableTests } from "./gestures.ts";
import { queueRuleTests } from "./queue-rules.ts";
import type { Setup } from "./setup.ts";

describe("the protocol on the in-memory Kanboard", () => {
  let made: Promise<Setup> | undefined;
  const create = async (): Promise<Setup> => {
    const clock = new ManualClock();
    const fabric = await TestFabric.create(memoryBoard(clock));
    const agent = await fabric.agent("local-1");
    return { fabric, agent, queue: await fabric.queue(agent), clock };
  };
  const setup = (): Promise<Setup> => (made ??= create());
  claimTests(setup);
  gestureTableTests(setup);
  gestureRaceTests(setup);
  queueRuleTests(setup);
  busyBoardTests(setup);
});
