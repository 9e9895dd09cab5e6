// kb-claim's verbs on the in-memory Kanboard.
import { afterEach, describe } from "node:test";
import { TestFabric } from "../harness/fabric.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { memoryBoard } from "../harness/memory-board.ts";
import { type CliSetup, Desks } from "./desk.ts";
import { faultTests } from "./faults.ts";
import { shellTests } from "./shell.ts";
import { verbTests } from "./verbs.ts";

describe("kb-claim on the in-memory Kanboard", () => {
  const made: Desks[] = [];
  afterEach(() => made.splice(0).forEach((desks) => desks.clear()));
  const setup = async (): Promise<CliSetup> => {
    const clock = new ManualClock();
    const fabric = await TestFabric.create(memoryBoard(clock));
    for (const name of ["a1", "a2"]) await fabric.agent(name);
    const worker = await fabric.agent("worker");
    const desks = new Desks(fabric, clock);
    made.push(desks);
    return { desks, fabric, worker, queue: await fabric.queue(worker), many: 20 };
  };
  verbTests(setup);
  faultTests(setup);
  shellTests(setup);
});
