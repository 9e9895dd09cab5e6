// Prints an answer: plain lines or one JSON object, refusals to the error stream, nothing that a terminal would obey.
import type { Answer } from "./answer.ts";
import { printable, printableJson } from "./printable.ts";

export interface Streams {
  out(text: string): void;
  err(text: string): void;
}

/** Of the JSON objects; a field's meaning changes only with it. */
const JSON_VERSION = 1;

export function print(verb: string, answer: Answer, streams: Streams, json: boolean): void {
  if (json) {
    const head = { v: JSON_VERSION, verb, exit: answer.exit };
    if (answer.ok) streams.out(`${printableJson({ ...head, ...answer.data })}\n`);
    else {
      const { code, message, hint, details } = answer;
      streams.err(`${printableJson({ ...head, error: { code, message, hint, ...details } })}\n`);
    }
    return;
  }
  if (answer.ok) {
    if (answer.lines.length > 0) streams.out(`${answer.lines.join("\n")}\n`);
    return;
  }
  const { code, message, hint } = answer;
  streams.err(
    printable(`kb-claim: ${message}\n${hint === undefined ? "" : `${hint}\n`}(${code})\n`),
  );
}
