// kb-claim's verbs on a real Kanboard (SQLite), every test with an empty queue.
import { after, afterEach, describe } from "node:test";
import { closeTask, getAllTasks } from "@agap/kb-client";
import { TestFabric } from "../harness/fabric.ts";
import { startTestKanboard, whyNoKanboard } from "../harness/kanboard.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { realBoard } from "../harness/real-board.ts";
import { type CliSetup, Desks } from "./desk.ts";
import { faultTests } from "./faults.ts";
import { shellTests } from "./shell.ts";
import { verbTests } from "./verbs.ts";

const skip = whyNoKanboard();

describe("kb-claim on a real Kanboard", { skip }, () => {
  const kanboard = skip === false ? startTestKanboard() : null;
  after(async () => (await kanboard)?.stop());
  const opened: Desks[] = [];
  afterEach(() => opened.splice(0).forEach((desks) => desks.clear()));
  let shared: Promise<Omit<CliSetup, "desks"> & { clock: ManualClock }> | undefined;
  const create = async () => {
    if (kanboard === null) throw new Error("skipped");
    const clock = new ManualClock();
    const fabric = await TestFabric.create(realBoard(await kanboard, clock));
    for (const name of ["a1", "a2"]) await fabric.agent(name);
    const worker = await fabric.agent("worker");
    return { fabric, worker, queue: await fabric.queue(worker), many: 6, clock };
  };
  const setup = async (): Promise<CliSetup> => {
    shared ??= create();
    const { clock, ...made } = await shared;
    const { app } = made.fabric;
    const left = await app.call(getAllTasks(made.queue.project, true), { purpose: "setup" });
    await app.batch(
      left.map((task) => closeTask(task.id)),
      { purpose: "setup" },
    );
    const desks = new Desks(made.fabric, clock);
    opened.push(desks);
    return { ...made, desks };
  };
  verbTests(setup);
  faultTests(setup);
  shellTests(setup);
});
