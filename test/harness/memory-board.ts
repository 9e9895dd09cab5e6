// The in-memory Kanboard as a board for tests.
import { type Clock } from "@agap/kb-client";
import { MemoryKanboard, seededRandom } from "@agap/kb-client/memory";
import type { TestBoard } from "./fabric.ts";

const TICK_MS = 20;

export function memoryBoard(clock: Clock, seed = 1): TestBoard & { kanboard: MemoryKanboard } {
  // A server's clock follows the test's and moves a little with every reading, as real ones do.
  let ticks = 0;
  const kanboard = new MemoryKanboard({
    clock: {
      now: () => clock.now() + (ticks += TICK_MS),
      monotonic: () => clock.monotonic() + ticks,
      sleep: (ms, signal) => clock.sleep(ms, signal),
    },
  });
  const random = seededRandom(seed);
  return {
    kanboard,
    clock,
    random,
    app: () => kanboard.transport(),
    async user(username) {
      const token = random.base36(40);
      const account = kanboard.board.users.find((user) => user.username === username);
      if (!account) throw new Error(`no account ${username}`);
      account.api_access_token = token;
      return kanboard.transport({ kind: "user", username, token });
    },
  };
}
