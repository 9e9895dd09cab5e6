// What a verb answers: facts for programs and lines for people, or a refusal with its code. How it is printed is
// decided elsewhere.
import { isFabricError } from "@agap/kb-client";
import { EXIT, type Exit, exitFor } from "../exit-codes.ts";

export interface Done {
  ok: true;
  exit: Exit;
  data: Readonly<Record<string, unknown>>;
  /** Already safe to print; the next useful command last. */
  lines: readonly string[];
}

export interface Refused {
  ok: false;
  exit: Exit;
  code: string;
  message: string;
  hint: string | undefined;
  details?: Readonly<Record<string, unknown>>;
}

export type Answer = Done | Refused;

export function done(
  data: Readonly<Record<string, unknown>>,
  lines: readonly string[],
  exit: Exit = EXIT.ok,
): Done {
  return { ok: true, exit, data, lines };
}

export function refuse(
  exit: Exit,
  code: string,
  message: string,
  hint: string,
  details?: Readonly<Record<string, unknown>>,
): Refused {
  return { ok: false, exit, code, message, hint, ...(details ? { details } : {}) };
}

/** A fault as an answer; what is no FabricError is a defect and keeps its stack for whoever debugs it. */
export function fault(error: unknown): Refused {
  if (isFabricError(error)) {
    const { code, message, hint } = error;
    return { ok: false, exit: exitFor(error), code, message, hint };
  }
  return {
    ok: false,
    exit: EXIT.unexpected,
    code: "CLI_UNEXPECTED",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    hint: "This is a defect of kb-claim. What stands on the board is safe; kb-claim lease-status says what you hold.",
  };
}
