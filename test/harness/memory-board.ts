// The in-memory Kanboard as a board for tests. Its clock moves a little with every reading, as a server's does.
import type { Clock } from "@agap/kb-client";
import { MemoryKanboard, seededRandom } from "@agap/kb-client/memory";
import type { TestBoard } from "./fabric.ts";

const TICK_MS = 20;

export function memoryBoard(clock: Clock): TestBoard {
  let now = Date.now();
  const kanboard = new MemoryKanboard({
    clock: {
      now: () => (now += TICK_MS),
      monotonic: () => now,
      sleep: async () => undefined,
    },
  });
  return {
    clock,
    random: seededRandom(1),
    app: () => kanboard.transport(),
    async user(username) {
      const account = kanboard.board.users.find((user) => user.username === username);
      if (!account) throw new Error(`no account ${username}`);
      const token = `token-of-${username}`;
      account.api_access_token = token;
      return kanboard.transport({ kind: "user", username, token });
    },
  };
}
