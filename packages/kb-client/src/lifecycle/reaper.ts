// Decides when a claim's lease has run out, by this process's own clock: no two machines need to agree on the time.
import type { Slot } from "../ledger/index.ts";
import { type FabricContext, type Instant } from "./context.ts";

interface Observation {
  n: number;
  nonce: string;
  beat: number;
  /** When the first read that showed this beat was *received*. */
  receivedAt: Instant;
}

/** A reaper without memory waits for two leases and this on the server's clock. */
const STRANGER_MARGIN_MS = 60_000;

export class Reaper {
  readonly #seen = new Map<string, Observation>();

  /**
   * @param read when the read that shows `slot` was sent, and when its answer came
   * @returns true when the beat stood still for a lease, from the receipt of the first observation to the sending of
   *   this one
   */
  hasExpired(
    slot: Slot,
    leaseMs: number,
    read: { sentAt: Instant; receivedAt: Instant; serverNow: number },
  ): boolean {
    const before = this.#seen.get(slot.key);
    const unchanged =
      before?.n === slot.n && before.nonce === slot.nonce && before.beat === slot.beat;
    if (!unchanged) {
      const { n, nonce, beat } = slot;
      this.#seen.set(slot.key, { n, nonce, beat, receivedAt: read.receivedAt });
    }
    if (read.serverNow > slot.beat * 1000 + 2 * leaseMs + STRANGER_MARGIN_MS) return true;
    if (!unchanged) return false;
    // Monotonic time only: a wall clock that was set forward must not expire a healthy claim. A suspended reaper
    // merely sees less time than has passed.
    return read.sentAt.mono - before.receivedAt.mono > leaseMs;
  }

  /** Forgets logs that are no running claims any more. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#seen.keys()) if (!keys.has(key)) this.#seen.delete(key);
  }
}

export async function readTimed<T>(
  ctx: FabricContext,
  read: () => Promise<T>,
): Promise<{ value: T; sentAt: Instant; receivedAt: Instant; serverNow: number }> {
  const stamp = (): Instant => ({ wall: ctx.clock.now(), mono: ctx.clock.monotonic() });
  const sentAt = stamp();
  const value = await read();
  return { value, sentAt, receivedAt: stamp(), serverNow: ctx.client.serverNow() };
}
