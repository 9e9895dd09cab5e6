// P3: what a worker costs that has nothing to do: HTTP requests per poll, whatever the number of its slots.
import { openQueue } from "@agap/fabric";
import { KanboardClient, type RequestRecord, systemClock } from "@agap/kb-client";
import { runWorker } from "@agap/workers";
import { RULES, TestFabric } from "../harness/fabric.ts";
import { startTestKanboard } from "../harness/kanboard.ts";
import { realBoard } from "../harness/real-board.ts";
import { atMost, type Figure } from "./report.ts";

const POLLS = 10;
const GOAL = 1;

export async function idleCost(): Promise<Figure[]> {
  const kanboard = await startTestKanboard();
  try {
    const records: RequestRecord[] = [];
    const stop = new AbortController();
    const board = realBoard(kanboard, systemClock, (record) => {
      records.push(record);
      if (count("poll") > POLLS) stop.abort();
    });
    const count = (purpose: string): number =>
      records.filter((record) => record.purpose === purpose).length;
    const fabric = await TestFabric.create(board);
    const ctx = await fabric.agent("bench");
    const queue = await openQueue(ctx, fabric.config, "local", RULES);
    records.length = 0;
    let searches = 0;
    const counting = {
      ...ctx,
      client: new (class extends KanboardClient {
        override batch: KanboardClient["batch"] = (procedures, options) => {
          if (options.purpose === "poll") searches += 1;
          return ctx.client.batch(procedures, options);
        };
      })({ send: () => Promise.reject(new Error("not used")) }, board),
    };
    await runWorker({
      ctx: counting,
      queue,
      executor: { run: async () => ({ kind: "done", result: "" }) },
      slots: 8,
      poll: { busy: 20, idle: 200 },
      unavailable: { first: 1000, longest: 1000 },
      grace: 1000,
      stop: stop.signal,
    });
    const sweeps = count("sweep");
    return [
      atMost(
        "P3",
        "HTTP requests per poll of an idle worker",
        count("poll") / searches,
        GOAL,
        `8 slots, ${searches} polls; sweeps apart: ${sweeps} requests`,
      ),
    ];
  } finally {
    await kanboard.stop();
  }
}
