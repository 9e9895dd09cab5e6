// A seeded simulation on the in-memory Kanboard: real workers that crash, people who drag and close, a network that
// loses and delays, a database that locks. Requests are carried out one at a time in an order that the seed decides.
import {
  FabricError,
  type Queue,
  type RpcRequest,
  type SendOptions,
  type TaskId,
  type Transport,
  type TransportReply,
} from "@agap/kb-client";
import { MemoryKanboard, seededRandom, VirtualClock } from "@agap/kb-client/memory";
import { type Executor, type ExecutorOutcome, runWorker } from "@agap/workers";
import { TestFabric } from "../harness/fabric.ts";
import { LockingTransport } from "../harness/locking-transport.ts";

export interface Faults {
  /** Probabilities per request. */
  lostRequest: number;
  lostAnswer: number;
  /** The caller hears of a lost connection; the request arrives up to a minute later. */
  late: number;
  /** Per saved metadata: rolled back. */
  locked: number;
  /** Per task: its worker's process dies. */
  crash: number;
  /** Gestures in the whole run. */
  gestures: number;
}

type LastGesture = "close" | "reopen" | "delete" | "backlog" | "ready" | "wip" | "done";

export interface Outcome {
  fabric: TestFabric;
  kanboard: MemoryKanboard;
  queue: Queue;
  cards: TaskId[];
  last: Map<TaskId, LastGesture>;
  trace: string[];
  errors: unknown[];
}

const LEASE_MS = 20_000;
const STORM_MS = 120_000;
const CALM_MS = 160_000;

/** A rest of 1e-12 ms would be waited for without end where time moves by sleeping alone. */
class WholeClock extends VirtualClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(Math.ceil(ms), signal);
  }
}

export async function simulate(seed: number, faults: Faults, size: number): Promise<Outcome> {
  const random = seededRandom(seed);
  const clock = new WholeClock();
  const kanboard = new MemoryKanboard({ clock });
  const pending: (() => void)[] = [];
  let gated = false;
  let storm = true;
  const turn = (): Promise<void> =>
    gated ? new Promise((resolve) => pending.push(resolve)) : Promise.resolve();

  const fabric = await TestFabric.create({
    clock,
    random,
    app: () => kanboard.transport(),
    user: async (username) => {
      const row = kanboard.board.users.find((user) => user.username === username);
      if (!row) throw new Error(`no account ${username}`);
      row.api_access_token = `token-of-${username}`;
      const token = row.api_access_token;
      return kanboard.transport({ kind: "user", username, token });
    },
  });
  const chance = (p: number): boolean => storm && gated && random.next() < p;
  const network = (inner: Transport, process: { dead: boolean }): Transport => ({
    async send(requests: readonly RpcRequest[], options: SendOptions): Promise<TransportReply> {
      await turn();
      if (process.dead) return new Promise(() => undefined);
      if (chance(faults.lostRequest)) throw lost();
      const deliver = (): Promise<TransportReply> =>
        inner.send(requests, { purpose: options.purpose });
      if (chance(faults.late)) {
        // Nobody hears of it, not even that the card is gone by then.
        void clock.sleep(random.next() * 60_000).then(() => deliver().catch(() => undefined));
        throw lost();
      }
      const reply = await deliver();
      if (chance(faults.lostAnswer)) throw lost();
      await turn();
      if (process.dead) return new Promise(() => undefined);
      options.signal?.throwIfAborted();
      return reply;
    },
  });

  const names = ["w0", "w1", "w2"];
  const errors: unknown[] = [];
  const trace: string[] = [];
  const start = async (name: string): Promise<void> => {
    const process = { dead: false };
    const ctx = await fabric.agent(name, {
      wrap: (inner) =>
        network(
          new LockingTransport(
            inner,
            ({ method }) => method === "saveTaskMetadata" && chance(faults.locked),
          ),
          process,
        ),
      emit: (event, fields) => {
        if (process.dead) return;
        trace.push(`${Math.round(clock.monotonic())} ${name} ${event} ${JSON.stringify(fields)}`);
      },
    });
    const queue = await fabric.queue(ctx, { leaseMs: LEASE_MS, retryDelayMs: 5000 });
    const executor: Executor = {
      run: async (_input, signal): Promise<ExecutorOutcome> => {
        await clock.sleep(500 + random.next() * 15_000, signal);
        if (chance(faults.crash)) {
          process.dead = true;
          void restart(name);
          return new Promise(() => undefined);
        }
        const dice = random.next();
        if (dice < 0.15) return { kind: "failed", reason: "no luck" };
        if (dice < 0.2) return { kind: "question", reason: "which one?" };
        if (dice < 0.25) return { kind: "unavailable", code: "GONE", reason: "away", seconds: 3 };
        return { kind: "done", result: `answer ${random.base36(6)}` };
      },
    };
    const worker = runWorker({
      ctx,
      queue,
      executor,
      slots: 2,
      poll: { busy: 500, idle: 3000 },
      unavailable: { first: 2000, longest: 5000 },
      grace: 1000,
      stop: new AbortController().signal,
    });
    void worker.catch((error: unknown) => errors.push(error));
  };
  const restart = async (name: string): Promise<void> => {
    await clock.sleep(random.next() * 20_000);
    const before = gated;
    gated = false;
    await start(name);
    gated = before;
  };

  const setupQueue = await fabric.queue(await fabric.agent("looker"), {});
  const cards: TaskId[] = [];
  for (let i = 0; i < size; i += 1) cards.push((await fabric.card(setupQueue)).id);
  for (const name of names) await start(name);
  const last = new Map<TaskId, LastGesture>();
  const person = kanboard.person("person", setupQueue.project);
  const people = async (): Promise<void> => {
    for (let i = 0; i < faults.gestures; i += 1) {
      await clock.sleep((STORM_MS / faults.gestures) * (0.5 + random.next() / 2));
      await turn();
      const id = cards[Math.floor(random.next() * cards.length)];
      if (id === undefined) continue;
      const did = gesture(kanboard, person, setupQueue, id, random.next(), clock);
      if (!did) continue;
      last.set(id, did);
      trace.push(`${Math.round(clock.monotonic())} person ${did} ${id}`);
    }
  };
  gated = true;
  void people();
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const [next] = pending.splice(Math.floor(random.next() * pending.length), 1);
    if (next) next();
    else {
      const waking = clock.nextWaking;
      if (waking === null || clock.monotonic() > STORM_MS + CALM_MS) break;
      await clock.advance(Math.max(1, waking - clock.monotonic()));
    }
    if (clock.monotonic() > STORM_MS) storm = false;
  }
  return { fabric, kanboard, queue: setupQueue, cards, last, trace, errors };
}

function gesture(
  kanboard: MemoryKanboard,
  person: ReturnType<MemoryKanboard["person"]>,
  queue: Queue,
  id: TaskId,
  dice: number,
  clock: VirtualClock,
): LastGesture | null {
  const row = kanboard.board.tasks.get(id);
  // Kanboard's times have whole seconds: nobody drags in the second of the last drag.
  if (!row || row.date_moved >= Math.floor(clock.now() / 1000)) return null;
  if (row.is_active === 0) {
    if (dice < 0.5) return null;
    person.reopen(id);
    return "reopen";
  }
  if (dice < 0.15) {
    person.close(id);
    return "close";
  }
  if (dice < 0.2) {
    person.delete(id);
    return "delete";
  }
  const places = ["backlog", "ready", "ready", "wip", "done"] as const;
  const to = places[Math.floor(((dice - 0.2) / 0.8) * places.length)] ?? "ready";
  const column = queue.columns[to].id;
  if (row.column_id === column) return null;
  person.drag(id, column);
  return to;
}

function lost(): FabricError {
  return new FabricError("lost (planned by the simulation)", {
    code: "KB_CONNECTION_LOST",
    retryable: "ambiguous",
  });
}
