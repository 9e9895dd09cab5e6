// An executor that does what a test says, when it says so.
import type { Executor, ExecutorOutcome, Obstacle, TaskInput } from "@agap/workers";

export interface Job {
  input: TaskInput;
  signal: AbortSignal;
  end(outcome: ExecutorOutcome): void;
  break(error: Error): void;
}

export class ScriptedExecutor implements Executor {
  /** Every task ever begun, in order. */
  readonly jobs: Job[] = [];
  /** What a look finds; counted. */
  obstacle: Obstacle | null = null;
  looks = 0;
  /** Decides at once; without it a job waits for its test. */
  script: ((job: Job) => ExecutorOutcome | undefined) | undefined;
  /** Whether an aborted job ends by itself, as it should. */
  obeys = true;

  async look(): Promise<Obstacle | null> {
    this.looks += 1;
    return this.obstacle;
  }

  run(input: TaskInput, signal: AbortSignal): Promise<ExecutorOutcome> {
    return new Promise((resolve, reject) => {
      const job: Job = { input, signal, end: resolve, break: reject };
      this.jobs.push(job);
      if (this.obeys) signal.addEventListener("abort", () => reject(signal.reason as Error));
      const outcome = this.script?.(job);
      if (outcome) resolve(outcome);
    });
  }
}

export const DONE: ExecutorOutcome = { kind: "done", result: "an answer\n\n_by nobody_" };
