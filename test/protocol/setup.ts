// What every protocol test starts from.
import type { FabricContext, Queue } from "@agap/kb-client";
import type { TestFabric } from "../harness/fabric.ts";
import type { ManualClock } from "../harness/manual-clock.ts";

export interface Setup {
  fabric: TestFabric;
  /** An agent with a user token. */
  agent: FabricContext;
  queue: Queue;
  clock: ManualClock;
}
