// A board that is away: said once, tried again with growing pauses, said once when it is back.
import type { FabricContext, FabricError } from "@agap/kb-client";

const FIRST_MS = 500;
/** A board that is back is found within this. */
const LONGEST_MS = 15_000;

export class Outage {
  readonly #ctx: Pick<FabricContext, "emit" | "random">;
  readonly #queue: string;
  #pause = 0;

  constructor(ctx: Pick<FabricContext, "emit" | "random">, queue: string) {
    this.#ctx = ctx;
    this.#queue = queue;
  }

  /** Returns the milliseconds to wait before the next try. */
  met({ code, message, hint }: FabricError): number {
    if (this.#pause === 0) {
      this.#ctx.emit("board.unreachable", { queue: this.#queue, code, error: message, hint });
    }
    this.#pause = Math.min(Math.max(this.#pause * 2, FIRST_MS), LONGEST_MS);
    return this.#pause * (0.5 + this.#ctx.random.next() / 2);
  }

  over(): void {
    if (this.#pause > 0) this.#ctx.emit("board.back", { queue: this.#queue });
    this.#pause = 0;
  }
}
