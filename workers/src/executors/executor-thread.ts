// One thread that runs tasks one after the other. Idle, it does not keep the process.
import { Worker } from "node:worker_threads";
import type { ExecutorOutcome, TaskInput } from "../executor.ts";

/** To the thread. */
export type ThreadOrder = { type: "run"; input: TaskInput } | { type: "abort" };
/** From the thread: that it is there, and one more for each run. */
export type ThreadReport =
  | { type: "ready" }
  | { type: "outcome"; outcome: ExecutorOutcome }
  | { type: "error"; message: string };

const MAX_HEAP_MB = 256;

export class ExecutorThread {
  readonly #worker: Worker;
  #report: (outcome: ExecutorOutcome) => void = () => undefined;
  #isReady = false;
  #hasEnded = false;
  #tasks = 0;

  /** @param settings what the thread finds in its `workerData` */
  constructor(script: URL, settings: unknown) {
    this.#worker = new Worker(script, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#worker.on("message", (report: ThreadReport) => {
      if (report.type === "ready") this.#isReady = true;
      else if (report.type === "outcome") this.#report(report.outcome);
      else this.#report({ kind: "failed", reason: `the executor broke: ${report.message}` });
    });
    this.#worker.on("error", (error) => this.#died(`the executor broke: ${String(error)}`));
    this.#worker.on("exit", () => this.#died("the executor ended without an answer"));
  }

  /** How many it has begun. */
  get tasks(): number {
    return this.#tasks;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Never rejects: a thread that dies during a task has failed it. */
  async run(input: TaskInput): Promise<ExecutorOutcome> {
    this.#tasks += 1;
    const outcome = new Promise<ExecutorOutcome>((resolve) => (this.#report = resolve));
    this.#worker.ref();
    this.#order({ type: "run", input });
    try {
      return await outcome;
    } finally {
      this.#worker.unref();
    }
  }

  /** Asks the running task to stop; one that spins does not hear it. */
  abort(): void {
    this.#order({ type: "abort" });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** A thread that never got as far as its task says nothing about it: the installation is broken. */
  #died(reason: string): void {
    this.#hasEnded = true;
    if (this.#isReady) this.#report({ kind: "failed", reason });
    else this.#report({ kind: "unavailable", code: "WORKER_BROKEN", reason });
  }

  #order(order: ThreadOrder): void {
    this.#worker.postMessage(order);
  }
}
