// P2: tasks drained per second with an executor that does nothing, as a fraction of what a bare HTTP loop reaches that
// sends the very same requests again at the same concurrency. Both are run in turn, on the same prefilled board.
import { openFabric, openQueue } from "@agap/fabric";
import {
  type FabricContext,
  KanboardClient,
  silent,
  systemClock,
  systemRandom,
  type Transport,
} from "@agap/kb-client";
import { type Executor, runWorker } from "@agap/workers";
import { RULES } from "../harness/fabric.ts";
import type { TestKanboard } from "../harness/kanboard.ts";
import { RecordingTransport } from "./recording-transport.ts";
import { replay } from "./replay.ts";
import { atLeast, type Figure, median } from "./report.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

const TASKS = 40;
const SLOTS = 4;
const ROUNDS = 5;
const GOAL = 0.8;

const idle: Executor = { run: async () => ({ kind: "done", result: "nothing to do" }) };

export async function capacity(): Promise<Figure[]> {
  const snapshot = await takeSnapshot(TASKS);
  try {
    return [await measure(snapshot, "user"), await measure(snapshot, "app")];
  } finally {
    snapshot.clear();
  }
}

async function measure(snapshot: Snapshot, kind: "user" | "app"): Promise<Figure> {
  const fractions: number[] = [];
  let requests = 0;
  let rate = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const drained = await drain(snapshot, kind);
    const bare = await withKanboard(snapshot, (kanboard) => replay(kanboard.url, drained.requests));
    fractions.push(bare / drained.ms);
    requests = drained.requests.length;
    rate = (TASKS * 1000) / drained.ms;
  }
  const detail = `${kind} token, ${TASKS} tasks, ${SLOTS} slots, ${requests} requests, about ${rate.toFixed(1)} tasks/s here; rounds ${fractions.map((value) => value.toFixed(2)).join(" ")}`;
  const name = kind === "user" ? "P2" : "P2app";
  return atLeast(name, "share of the board's capacity", median(fractions), GOAL, detail);
}

async function withKanboard<T>(
  snapshot: Snapshot,
  use: (kanboard: TestKanboard) => Promise<T>,
): Promise<T> {
  const kanboard = await snapshot.restore();
  try {
    return await use(kanboard);
  } finally {
    await kanboard.stop();
  }
}

function drain(
  snapshot: Snapshot,
  kind: "user" | "app",
): Promise<{ ms: number; requests: RecordingTransport["requests"] }> {
  return withKanboard(snapshot, async (kanboard) => {
    const { username, token, appToken } = snapshot;
    const asUser = { kind: "user", username, token } as const;
    const ctx = await openFabric({
      transport: kanboard.transport(asUser),
      board: snapshot.fabric,
      clock: systemClock,
      random: systemRandom,
      emit: silent,
    });
    const auth = kind === "user" ? asUser : ({ kind: "app", token: appToken } as const);
    const recording = new RecordingTransport(kanboard.transport(auth), auth);
    const stop = new AbortController();
    let done = 0;
    const working: FabricContext = {
      ...ctx,
      client: clientOver(recording),
      emit: (event) => {
        if (event === "task.done" && (done += 1) === TASKS) stop.abort();
      },
    };
    const queue = await openQueue(ctx, snapshot.fabric, "local", RULES);
    const started = performance.now();
    await runWorker({
      ctx: working,
      queue,
      executor: idle,
      slots: SLOTS,
      poll: { busy: 50, idle: 1000 },
      unavailable: { first: 1000, longest: 1000 },
      grace: 10_000,
      stop: stop.signal,
    });
    return { ms: performance.now() - started, requests: recording.requests };
  });
}

function clientOver(transport: Transport): KanboardClient {
  return new KanboardClient(transport, { clock: systemClock, random: systemRandom });
}
