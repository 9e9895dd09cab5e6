// A question before something is created on a board that is not ours.
import { createInterface } from "node:readline/promises";
import { EXIT, Stop } from "./stop.ts";

/** @throws Stop unless the answer is yes */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) {
    throw new Stop(EXIT.consent, "nothing is created on an existing board without a yes", [
      "Run it in a terminal, or add --yes.",
    ]);
  }
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    lines.close();
  }
  throw new Stop(EXIT.consent, "answered with no: nothing was created on the board");
}
