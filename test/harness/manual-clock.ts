// A clock that only a test moves; sleeping moves it too, so no test waits.
import type { Clock } from "@agap/kb-client";

export class ManualClock implements Clock {
  #now = Date.now();
  #monotonic = 0;

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }

  /** The wall clock is set, as by a time server; the monotonic one goes on. */
  step(ms: number): void {
    this.#now += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.advance(ms);
  }
}
