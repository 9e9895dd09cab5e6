// A prefilled board that can be brought back to the same state again and again.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, systemRandom } from "@agap/kb-client";
import { TestFabric } from "../harness/fabric.ts";
import { startTestKanboard, type TestKanboard } from "../harness/kanboard.ts";
import type { TestBoard } from "../harness/fabric.ts";
import { setUserToken } from "../../scripts/stack/kanboard-server.ts";

export interface Snapshot {
  /** A Kanboard with the prefilled state, ended by its own `stop`. */
  restore(): Promise<TestKanboard>;
  fabric: TestFabric["config"];
  username: string;
  token: string;
  appToken: string;
  clear(): void;
}

/** A queue with `tasks` cards in Ready and one agent. */
export async function takeSnapshot(tasks: number): Promise<Snapshot> {
  const folder = mkdtempSync(join(tmpdir(), "fabric-snapshot-"));
  const appToken = systemRandom.base36(32);
  const username = "bench";
  const token = systemRandom.base36(40);
  const kanboard = await startTestKanboard({ appToken });
  try {
    const board: TestBoard = {
      clock: systemClock,
      random: systemRandom,
      app: () => kanboard.transport(),
      async user(name) {
        setUserToken(kanboard.dbFile, name, token);
        return kanboard.transport({ kind: "user", username: name, token });
      },
    };
    const fabric = await TestFabric.create(board);
    const agent = await fabric.agent(username);
    const queue = await fabric.queue(agent);
    for (let i = 0; i < tasks; i += 1) await fabric.card(queue, { title: `task ${i}` });
    await kanboard.halt();
    cpSync(kanboard.dataDir, folder, { recursive: true });
    return {
      fabric: fabric.config,
      username,
      token,
      appToken,
      restore: () => startTestKanboard({ appToken, from: folder }),
      clear: () => rmSync(folder, { recursive: true, force: true }),
    };
  } finally {
    await kanboard.stop();
  }
}
