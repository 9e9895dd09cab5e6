// A clock that stands still until a test moves it, and a die that rolls the same way each time.
import type { Clock, Random } from "../ports.ts";

interface Sleeper {
  at: number;
  order: number;
  wake(): void;
}

/** Wall and monotonic time move together unless `stepWall` is used. */
export class VirtualClock implements Clock {
  #wall: number;
  #mono = 0;
  #order = 0;
  readonly #sleepers = new Set<Sleeper>();

  /** @param start epoch milliseconds */
  constructor(start = Date.UTC(2026, 0, 5, 9, 0, 0)) {
    this.#wall = start;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#mono;
  }

  /** How many sleeps are waiting, for tests that wait until something sleeps. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Monotonic time of the earliest waking, or null when nothing sleeps. */
  get nextWaking(): number | null {
    return this.#earliest()?.at ?? null;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const sleeper: Sleeper = {
        at: this.#mono + Math.max(0, ms),
        order: (this.#order += 1),
        wake: () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
      };
      const abort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  /**
   * Lets `ms` pass. Sleepers wake in the order of their times, each at its own time, and what they do next (a further
   * sleep included) happens before the next one wakes.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#mono + ms;
    await settle();
    for (;;) {
      const next = this.#earliest();
      if (!next || next.at > target) break;
      this.#pass(next.at - this.#mono);
      this.#sleepers.delete(next);
      next.wake();
      await settle();
    }
    this.#pass(target - this.#mono);
    await settle();
  }

  /** Somebody sets the clock of the machine. */
  stepWall(ms: number): void {
    this.#wall += ms;
  }

  #earliest(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (!earliest || sleeper.at < earliest.at) earliest = sleeper;
    }
    return earliest;
  }

  #pass(ms: number): void {
    this.#wall += ms;
    this.#mono += ms;
  }
}

/** Lets everything that is ready to run do so; setImmediate comes after all promise callbacks. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** mulberry32: small and even enough for tests; the same seed gives the same run. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const base36 = (length: number): string =>
    Array.from({ length }, () => Math.floor(next() * 36).toString(36)).join("");
  return { next, base36 };
}
