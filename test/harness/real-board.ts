// The real Kanboard on SQLite as a board for tests.
import { type Clock, type RequestRecord, systemRandom } from "@agap/kb-client";
import { setUserToken } from "../../scripts/stack/kanboard-server.ts";
import type { TestBoard } from "./fabric.ts";
import type { TestKanboard } from "./kanboard.ts";

/** @param onRequest told of every request that an account makes; the application's are not counted */
export function realBoard(
  kanboard: TestKanboard,
  clock: Clock,
  onRequest?: (record: RequestRecord) => void,
): TestBoard {
  return {
    clock,
    random: systemRandom,
    app: () => kanboard.transport(),
    async user(username) {
      const token = systemRandom.base36(40);
      setUserToken(kanboard.dbFile, username, token);
      return kanboard.transport({ kind: "user", username, token }, onRequest);
    },
  };
}
