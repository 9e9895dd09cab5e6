// A worker at work on the in-memory Kanboard: the clock stands still until a test moves it, and the board's clock is
// the same one.
import {
  columnOf,
  type FabricContext,
  getAllComments,
  type Queue,
  type QueueRules,
  type Task,
  type TaskId,
} from "@agap/kb-client";
import {
  type Interception,
  MemoryKanboard,
  seededRandom,
  VirtualClock,
} from "@agap/kb-client/memory";
import { runWorker, type WorkerOptions } from "@agap/workers";
import { TestFabric } from "../harness/fabric.ts";
import { ScriptedExecutor } from "../harness/scripted-executor.ts";

const LEASE_MS = 60_000;

export interface Worker {
  ctx: FabricContext;
  executor: ScriptedExecutor;
  /** The first signal. */
  stop(): void;
  /** The second signal. */
  stopNow(): void;
  /** Fulfilled with what `runWorker` threw, or null. */
  ended: Promise<unknown>;
  hasEnded(): boolean;
}

export class Shift {
  readonly clock: VirtualClock;
  readonly kanboard: MemoryKanboard;
  readonly fabric: TestFabric;
  readonly queue: Queue;
  readonly #working: Worker[] = [];

  private constructor(parts: Pick<Shift, "clock" | "kanboard" | "fabric" | "queue">) {
    this.clock = parts.clock;
    this.kanboard = parts.kanboard;
    this.fabric = parts.fabric;
    this.queue = parts.queue;
  }

  static async begin(): Promise<Shift> {
    const clock = new VirtualClock();
    const kanboard = new MemoryKanboard({ clock });
    const fabric = await TestFabric.create({
      clock,
      random: seededRandom(7),
      app: () => kanboard.transport(),
      async user(username) {
        const account = kanboard.board.users.find((user) => user.username === username);
        if (!account) throw new Error(`no account ${username}`);
        account.api_access_token = `token-of-${username}`;
        return kanboard.transport({ kind: "user", username, token: `token-of-${username}` });
      },
    });
    const onlooker = await fabric.agent("onlooker");
    return new Shift({ clock, kanboard, fabric, queue: await fabric.queue(onlooker) });
  }

  async work(
    options: Partial<WorkerOptions> & {
      agent?: string;
      rules?: Partial<QueueRules>;
      /** Work begins before this method returns. */
      prepare?: (executor: ScriptedExecutor) => void;
    } = {},
  ): Promise<Worker> {
    const { agent = "worker-1", rules, prepare, ...rest } = options;
    const ctx = await this.fabric.agent(agent);
    const executor = new ScriptedExecutor();
    prepare?.(executor);
    const [stop, now] = [new AbortController(), new AbortController()];
    let over = false;
    const running = runWorker({
      ctx,
      queue: await this.fabric.queue(ctx, { leaseMs: LEASE_MS, ...rules }),
      executor,
      slots: 1,
      poll: { busy: 1000, idle: 10_000 },
      unavailable: { first: 15_000, longest: 900_000 },
      grace: 20_000,
      stop: stop.signal,
      stopNow: now.signal,
      ...rest,
    });
    const ended = running.then(
      () => null,
      (error: unknown) => error,
    );
    void ended.then(() => (over = true));
    const worker = {
      ctx,
      executor,
      stop: () => stop.abort(new Error("told to stop")),
      stopNow: () => now.abort(new Error("told twice")),
      ended,
      hasEnded: () => over,
    };
    this.#working.push(worker);
    return worker;
  }

  /** Lets time pass until it holds. @returns milliseconds that passed */
  async until(
    what: string,
    holds: () => boolean | Promise<boolean>,
    limitMs = 3_600_000,
    stepMs = 250,
  ): Promise<number> {
    for (let passed = 0; passed <= limitMs; passed += stepMs) {
      if (await holds()) return passed;
      await this.pass(stepMs);
    }
    const seen = this.fabric.events.slice(-12).map((event) => JSON.stringify(event));
    throw new Error(`not within ${limitMs} ms: ${what}\n${seen.join("\n")}`);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    // Retries of the client go through one real timer of no length.
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    await this.clock.advance(0);
  }

  card(title = "a task"): Promise<Task> {
    return this.fabric.card(this.queue, { title });
  }

  async cards(count: number): Promise<Task[]> {
    const made: Task[] = [];
    for (let i = 0; i < count; i += 1) made.push(await this.card(`task ${i}`));
    return made;
  }

  async column(task: { id: TaskId }): Promise<string> {
    const { columnId } = await this.fabric.see(task.id);
    const roles = ["backlog", "ready", "wip", "done"] as const;
    return roles.find((role) => columnOf(this.queue, role).id === columnId) ?? "other";
  }

  history(task: Task): Promise<string> {
    const [worker] = this.#working;
    if (!worker) throw new Error("nobody works yet");
    return this.fabric.history(worker.ctx, task);
  }

  async comments(task: { id: TaskId }): Promise<string[]> {
    const comments = await this.fabric.app.call(getAllComments(task.id), { purpose: "read" });
    return comments.map(({ text }) => text);
  }

  events(name: string): Readonly<Record<string, unknown>>[] {
    return this.fabric.events.filter(({ event }) => event === name).map(({ fields }) => fields);
  }

  /** From now on the board refuses every account, though not the test itself. */
  unreachable(yes: boolean): void {
    this.kanboard.intercept = yes
      ? ({ auth }, phase): Interception =>
          auth.kind === "user" && phase === "before" ? "refuse" : "ok"
      : undefined;
  }

  /** Ends every worker; a test that leaves one running would never end. */
  async end(): Promise<void> {
    this.kanboard.intercept = undefined;
    for (const worker of this.#working) {
      worker.stop();
      worker.stopNow();
      await this.until("the worker has ended", () => worker.hasEnded(), 120_000);
    }
  }
}
