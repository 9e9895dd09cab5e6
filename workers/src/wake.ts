// A pause that can be cut short: a finished task frees a slot, and the next poll should not wait for the clock.
import type { Clock } from "@agap/kb-client";

export class Wake {
  #current: AbortController | null = null;
  #pending = false;

  now(): void {
    if (this.#current) this.#current.abort();
    else this.#pending = true;
  }

  /** Returns after `ms`, when woken, or when the signal aborts; never rejects. */
  async orAfter(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#pending) {
      this.#pending = false;
      return;
    }
    const current = new AbortController();
    this.#current = current;
    try {
      await clock.sleep(ms, AbortSignal.any([current.signal, signal]));
    } catch {
      // Woken or stopped: the caller looks at its own signal.
    } finally {
      this.#current = null;
    }
  }
}
