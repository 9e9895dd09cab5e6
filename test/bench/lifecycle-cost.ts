// P1: HTTP requests from the submission of a plain task to its card in Done, with procedures and bytes beside them.
import {
  claim,
  finishDone,
  poll,
  type RequestRecord,
  SkipList,
  systemClock,
} from "@agap/kb-client";
import { submit } from "@agap/fabric";
import { RULES, TestFabric } from "../harness/fabric.ts";
import { startTestKanboard } from "../harness/kanboard.ts";
import { realBoard } from "../harness/real-board.ts";
import { atMost, type Figure } from "./report.ts";

const GOAL = 5;

export async function lifecycleCost(): Promise<Figure[]> {
  const kanboard = await startTestKanboard();
  try {
    const records: RequestRecord[] = [];
    const board = realBoard(kanboard, systemClock, (record) => records.push(record));
    const fabric = await TestFabric.create(board);
    const agent = await fabric.agent("bench");
    const queue = await fabric.queue(agent);
    records.length = 0;
    const { id } = await submit(agent, queue, { title: "a plain task" });
    const [card] = await poll(agent, queue, new SkipList(agent, RULES.leaseMs));
    if (card?.id !== id) throw new Error("the task is not in the poll");
    const won = await claim(agent, queue, card);
    if (won.outcome !== "won") throw new Error(`claim: ${won.outcome}`);
    await finishDone(agent, won.held, "an answer of one line");
    const counted = records.filter((record) => record.purpose !== "poll");
    const polled = records.filter((record) => record.purpose === "poll");
    const detail = counted
      .map(
        (record) =>
          `${record.purpose} ${record.procedures}p ${record.bytesSent}+${record.bytesReceived}B`,
      )
      .join(", ");
    return [
      atMost(
        "P1",
        "HTTP requests per lifecycle",
        counted.length,
        GOAL,
        `${detail}; poll apart: ${polled.length}`,
      ),
    ];
  } finally {
    await kanboard.stop();
  }
}
