// Time that another process on this machine can compare: milliseconds since boot, and which boot that was.
import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";

export interface BootClock {
  /** Differs between boots and between hosts. */
  readonly boot: string;
  /** Milliseconds since that boot, suspend included. */
  sinceBoot(): number;
}

export function systemBootClock(): BootClock {
  return { boot: `${hostname()}/${bootId()}`, sinceBoot: () => Math.round(uptime() * 1000) };
}

/** Empty where the system names no boot: such readings are compared by the wall clock alone. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** When something was sent, in both clocks. */
export interface Stamp {
  /** Epoch milliseconds. */
  wall: number;
  boot: string;
  sinceBoot: number;
}

export function stampNow(wall: number, clock: BootClock): Stamp {
  return { wall, boot: clock.boot, sinceBoot: clock.sinceBoot() };
}

/** Milliseconds since `then`, by the larger of both clocks: a wall clock that was set back must not lengthen a lease. */
export function sinceStamp(then: Stamp, wall: number, clock: BootClock): number {
  const byWall = wall - then.wall;
  const comparable = then.boot === clock.boot && !clock.boot.endsWith("/");
  return Math.max(0, byWall, comparable ? clock.sinceBoot() - then.sinceBoot : 0);
}
