// What a person needs next: where the board is, how to log in, and three things to try.
import { userInfo } from "node:os";
import { hostname } from "node:os";
import type { OwnerPassword } from "./kanboard-database.ts";
import type { Layout } from "./layout.ts";
import type { Options } from "./options.ts";
import type { Progress } from "./progress.ts";
import { OWNER, type Secrets } from "./secrets.ts";

export interface Outcome {
  url: string;
  /** null on a board that is not ours. */
  password: OwnerPassword | null;
  card: string | null;
  bin: string;
}

export function sayGoodbye(
  layout: Layout,
  options: Options,
  secrets: Secrets,
  outcome: Outcome,
  progress: Progress,
): void {
  const say = (line?: string): void => progress.say(line);
  say(`\nUp after ${progress.seconds()} s.\n`);
  say(`  Board    ${outcome.url}`);
  if (outcome.password !== null) {
    const password =
      outcome.password === "changed" ? "the one you have set" : secrets.ownerPassword;
    say(`  Login    ${OWNER}, password ${password}   (kept in ${layout.envFile})`);
  }
  if (outcome.card) say(`  Answer   ${outcome.card}`);
  if (options.kanboard === undefined && options.listen === "127.0.0.1") {
    const port = layout.ports.kanboard;
    say("\nNo screen on this machine? On the one where you sit:");
    say(`  ssh -L ${port}:127.0.0.1:${port} ${userInfo().username}@${hostname()}`);
  }
  say("\nTry next:");
  say(`  export PATH="${outcome.bin}:$PATH"`);
  say(`  kb-claim submit "Name three uses of a paper clip." --queue local --wait`);
  say("  kb-claim next --queue local");
  say("  scripts/status");
  say("Or open the board, press + in Ready, and watch the card.");
}
