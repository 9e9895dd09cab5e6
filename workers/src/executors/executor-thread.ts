// One thread that runs tasks one after the other. Idle, it does not keep the process.
import { Worker } from "node:worker_threads";
import type { ExecutorOutcome, TaskInput } from "../executor.ts";

/** To the thread. */
export type ThreadOrder = { type: "run"; input: TaskInput } | { type: "abort" };
/** From the thread, one for each run. */
export type ThreadReport =
  | { type: "outcome"; outcome: ExecutorOutcome }
  | { type: "error"; message: string };

const MAX_HEAP_MB = 256;

export class ExecutorThread {
  readonly #worker: Worker;
  #report: (outcome: ExecutorOutcome) => void = () => undefined;
  #hasEnded = false;
  #tasks = 0;

  /** @param settings what the thread finds in its `workerData` */
  constructor(script: URL, settings: unknown) {
    this.#worker = new Worker(script, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const failed = (reason: string): void => this.#report({ kind: "failed", reason });
    this.#worker.on("message", (report: ThreadReport) => {
      if (report.type === "outcome") this.#report(report.outcome);
      else failed(`the executor broke: ${report.message}`);
    });
    this.#worker.on("error", (error) => {
      this.#hasEnded = true;
      failed(`the executor broke: ${String(error)}`);
    });
    this.#worker.on("exit", () => {
      this.#hasEnded = true;
      failed("the executor ended without an answer");
    });
  }

  /** How many it has begun. */
  get tasks(): number {
    return this.#tasks;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Never rejects: a thread that dies has failed its task. */
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

  #order(order: ThreadOrder): void {
    this.#worker.postMessage(order);
  }
}
