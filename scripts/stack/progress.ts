// One line per finished step, and a sign of life while several are being fetched.
import { spawnSync } from "node:child_process";

export function megabytes(folder: string): number {
  const du = spawnSync("du", ["-sm", folder], { encoding: "utf8" });
  return Number.parseInt(du.stdout, 10) || 0;
}

export class Progress {
  readonly #started: number;
  readonly #running = new Map<string, string>();
  #beat: NodeJS.Timeout | undefined;

  /** @param started epoch milliseconds at which the person pressed Enter; the first stage has passed it on */
  constructor(started: number = Date.now()) {
    this.#started = performance.now() - (Date.now() - started);
  }

  say(line = ""): void {
    process.stdout.write(`${line}\n`);
  }

  seconds(since = this.#started): string {
    return ((performance.now() - since) / 1000).toFixed(1);
  }

  /**
   * @param growing folder whose size tells how far the step is
   * @param work answers what to print beside the name, usually a size
   */
  async step(name: string, growing: string | null, work: () => Promise<string>): Promise<void> {
    const started = performance.now();
    if (growing !== null) this.#watch(name, growing);
    try {
      const what = await work();
      this.say(`  ${name.padEnd(34)} ${what.padStart(8)}  ${this.seconds(started).padStart(5)} s`);
    } finally {
      this.#unwatch(name);
    }
  }

  #watch(name: string, folder: string): void {
    this.#running.set(name, folder);
    this.#beat ??= setInterval(() => {
      const parts = [...this.#running].map(([part, at]) => `${part} ${megabytes(at)} MB`);
      this.say(`  ... ${this.seconds()} s: ${parts.join(", ")}`);
    }, 10_000);
  }

  #unwatch(name: string): void {
    this.#running.delete(name);
    if (this.#running.size > 0) return;
    clearInterval(this.#beat);
    this.#beat = undefined;
  }
}
