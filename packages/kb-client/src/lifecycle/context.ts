// What every step of the protocol stands on: a client with one account's credential, the ledger, and the ports.
import type { UserId } from "../ids.ts";
import type { LedgerBinding } from "../ledger/index.ts";
import type { Clock, Random } from "../ports.ts";
import type { KanboardClient } from "../rpc/index.ts";
import type { AgentDirectory } from "./agent-directory.ts";
import type { EventSink } from "./events.ts";

export interface FabricContext {
  client: KanboardClient;
  ledger: LedgerBinding;
  clock: Clock;
  random: Random;
  /** The account behind the credential; its slug is what the ledger records. */
  me: { userId: UserId; agent: string };
  agents: AgentDirectory;
  emit: EventSink;
}

/** The server's clock in whole seconds, as beats carry it. */
export function beatNow(ctx: FabricContext): number {
  return Math.floor(ctx.client.serverNow() / 1000);
}

/** A reading of both clocks, for elapsed time that neither a clock step nor a suspend can shorten. */
export interface Instant {
  wall: number;
  mono: number;
}

export function instant(clock: Clock): Instant {
  return { wall: clock.now(), mono: clock.monotonic() };
}

/** Milliseconds since `start` by the larger of the two clocks: suspend stops the monotonic one. */
export function elapsed(clock: Clock, start: Instant): number {
  return Math.max(clock.now() - start.wall, clock.monotonic() - start.mono);
}
