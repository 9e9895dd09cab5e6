// The exit codes of every verb, and which stable error code ends in which of them.
import { isFabricError } from "@agap/kb-client";

export const EXIT = {
  ok: 0,
  unexpected: 1,
  nothingEligible: 10,
  notYours: 11,
  leaseLost: 12,
  refused: 13,
  usage: 64,
  badInput: 65,
  notFound: 66,
  unreachable: 69,
  parked: 75,
  notPermitted: 77,
  interrupted: 130,
} as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** In words, for the documentation and for `--help`. */
export const EXIT_MEANINGS: readonly (readonly [Exit, string])[] = [
  [EXIT.ok, "done"],
  [EXIT.unexpected, "unexpected: a fault of the program or of the board"],
  [EXIT.nothingEligible, "nothing eligible: no task may be claimed now"],
  [EXIT.notYours, "not yours: this session holds no lease on that task; nothing was written"],
  [EXIT.leaseLost, "lease lost: the claim has ended; nothing was written"],
  [EXIT.refused, "refused by a rule, whose code is in the output"],
  [EXIT.usage, "wrong usage"],
  [EXIT.badInput, "bad input: an empty intent, a date that is no date, an unreadable configuration"],
  [EXIT.notFound, "no such task, queue or state folder"],
  [EXIT.unreachable, "Kanboard can't be reached"],
  [EXIT.parked, "parked or still unfinished: try again later"],
  [EXIT.notPermitted, "not permitted: no credential, a wrong one, or one without the right"],
  [EXIT.interrupted, "interrupted"],
];

const BY_CODE: Readonly<Record<string, Exit>> = {
  LEASE_NOT_HELD: EXIT.notYours,
  LEASE_LOST: EXIT.leaseLost,
  CLI_USAGE: EXIT.usage,
  CLI_QUEUE_NEEDED: EXIT.usage,
  CLI_TASK_NEEDED: EXIT.usage,
  CLI_INTERRUPTED: EXIT.interrupted,
  CLI_HOME_MISSING: EXIT.notFound,
  CLI_NO_CREDENTIAL: EXIT.notPermitted,
  INPUT_TASK_ID: EXIT.badInput,
  INPUT_TEXT: EXIT.badInput,
  INPUT_DUE: EXIT.badInput,
  INPUT_FILE: EXIT.badInput,
  INPUT_NUMBER: EXIT.badInput,
  INPUT_DURATION: EXIT.badInput,
  CONFIG_INVALID: EXIT.badInput,
  QUEUE_UNKNOWN: EXIT.notFound,
  TASK_UNKNOWN: EXIT.notFound,
  SUBMIT_INVALID: EXIT.badInput,
  TASK_UNFINISHED: EXIT.parked,
  KB_UNREACHABLE: EXIT.unreachable,
  KB_FORBIDDEN: EXIT.notPermitted,
  KB_UNAUTHORIZED: EXIT.notPermitted,
};

/** Refusals share a prefix; every other code of these families is a rule that said no. */
const REFUSING = /^(?:SUBMIT|LEDGER|QUEUE|TASK)_/;

export function exitFor(error: unknown): Exit {
  if (!isFabricError(error)) return EXIT.unexpected;
  return BY_CODE[error.code] ?? (REFUSING.test(error.code) ? EXIT.refused : EXIT.unexpected);
}
