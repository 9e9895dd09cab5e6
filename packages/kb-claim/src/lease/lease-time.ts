// When a lease must be renewed, and when its holder must stop.
import {
  type Clock,
  type HeldClaim,
  type Instant,
  type QueueRules,
  SELF_ABORT_SHARE,
} from "@agap/kb-client";
import { type BootClock, sinceStamp, type Stamp } from "./boot-clock.ts";
import type { LeaseFile } from "./lease-file.ts";

interface Clocks {
  clock: Clock;
  boot: BootClock;
}

/** Milliseconds until the last moment at which a renewal may be sent; zero or less: that moment has passed. */
export function timeLeft({ clock, boot }: Clocks, lease: LeaseFile, rules: QueueRules): number {
  return SELF_ABORT_SHARE * rules.leaseMs - sinceStamp(lease.sentAt, clock.now(), boot);
}

/** Epoch milliseconds of that moment, by this machine's clock. */
export function renewBefore(clocks: Clocks, lease: LeaseFile, rules: QueueRules): number {
  return clocks.clock.now() + timeLeft(clocks, lease, rules);
}

/** The moment of a stamp as a reading of this process's own clocks. */
export function instantOf({ clock, boot }: Clocks, stamp: Stamp): Instant {
  const age = sinceStamp(stamp, clock.now(), boot);
  return { wall: clock.now() - age, mono: clock.monotonic() - age };
}

/** The moment of an instant of this process as another process can read it. */
export function stampOf({ clock, boot }: Clocks, instant: HeldClaim["confirmedAt"]): Stamp {
  const age = Math.max(clock.now() - instant.wall, clock.monotonic() - instant.mono, 0);
  return { wall: clock.now() - age, boot: boot.boot, sinceBoot: boot.sinceBoot() - age };
}
