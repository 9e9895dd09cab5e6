// Shells at their desks: each a session of an agent, with its own lease files, in front of a test board.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type BootClock, type Door, LeaseStore } from "@agap/kb-claim";
import { type FabricContext, type Queue, type Transport, silent } from "@agap/kb-client";
import type { TestFabric } from "../harness/fabric.ts";
import type { ManualClock } from "../harness/manual-clock.ts";

export class Desks {
  readonly fabric: TestFabric;
  readonly clock: ManualClock;
  readonly home = mkdtempSync(join(tmpdir(), "kb-claim-"));
  /** The same machine for all of them; a test may boot it anew. */
  readonly boot: BootClock & { boot: string };

  constructor(fabric: TestFabric, clock: ManualClock) {
    this.fabric = fabric;
    this.clock = clock;
    this.boot = { boot: "host/boot-1", sinceBoot: () => clock.monotonic() };
  }

  /** A shell of an agent that `TestFabric.agent` has made. */
  async shell(
    account: string,
    session: string,
    wrap: (transport: Transport) => Transport = (transport) => transport,
  ): Promise<Door> {
    const { fabric, clock, home, boot } = this;
    return {
      home,
      board: fabric.config,
      account,
      agent: account,
      defaultQueue: undefined,
      leases: new LeaseStore(home, account, session),
      boot,
      clock,
      random: fabric.board.random,
      transport: wrap(await fabric.board.user(account)),
      emit: silent,
      signal: undefined,
    };
  }

  clear(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export interface CliSetup {
  desks: Desks;
  fabric: TestFabric;
  /** An agent like any other, to look at the board and to act as a worker. */
  worker: FabricContext;
  queue: Queue;
  /** How many tasks a race is about: a real board takes a second for each. */
  many: number;
}

/** What a refused verb said, as "exit CODE". */
export function refusal(answer: Answer): string {
  return answer.ok ? `answered ${answer.exit}` : `${answer.exit} ${answer.code}`;
}

/** The facts of an answer; a refusal fails the test with its words. */
export function facts(answer: Answer): Readonly<Record<string, unknown>> {
  if (!answer.ok) throw new Error(`${refusal(answer)}: ${answer.message}`);
  return answer.data;
}
