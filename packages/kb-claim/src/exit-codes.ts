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
  [
    EXIT.badInput,
    "bad input: an empty intent, a date that is no date, an unreadable configuration",
  ],
  [EXIT.notFound, "no such task, queue or state folder"],
  [EXIT.unreachable, "Kanboard can't be reached"],
  [EXIT.parked, "parked or still unfinished: try again later"],
  [EXIT.notPermitted, "not permitted: no credential, a wrong one, or one without the right"],
  [EXIT.interrupted, "interrupted"],
];

const BY_CODE: Readonly<Record<string, Exit>> = {
  CLI_USAGE: EXIT.usage,
  CLI_QUEUE_NEEDED: EXIT.usage,
  CLI_HOME_MISSING: EXIT.notFound,
  CLI_NO_CREDENTIAL: EXIT.notPermitted,
  CLI_WRONG_ACCOUNT: EXIT.notPermitted,
  CONFIG_INVALID: EXIT.badInput,
  QUEUE_UNKNOWN: EXIT.notFound,
  TASK_UNKNOWN: EXIT.notFound,
  SUBMIT_INVALID: EXIT.badInput,
  SUBMIT_UNKNOWN: EXIT.unreachable,
  KB_FORBIDDEN: EXIT.notPermitted,
  KB_UNAUTHORIZED: EXIT.notPermitted,
  KB_BAD_URL: EXIT.badInput,
  KB_LONE_SURROGATE: EXIT.badInput,
  KB_NUL_CHARACTER: EXIT.badInput,
};

/** First match counts. */
const BY_FAMILY: readonly (readonly [RegExp, Exit])[] = [
  [/^INPUT_|^KB_LIMIT_/, EXIT.badInput],
  // The board does not answer, or something else answers in its place.
  [
    /^KB_(?:UNREACHABLE|TIMEOUT|TLS|CONNECTION_LOST|SERVER_ERROR|NOT_JSON|REDIRECTED|TRUNCATED|LOCKED|DEADLOCK)$/,
    EXIT.unreachable,
  ],
  [/^(?:SUBMIT|LEDGER|QUEUE|TASK)_/, EXIT.refused],
];

export function exitFor(error: unknown): Exit {
  if (!isFabricError(error)) return EXIT.unexpected;
  const { code } = error;
  return BY_CODE[code] ?? BY_FAMILY.find(([codes]) => codes.test(code))?.[1] ?? EXIT.unexpected;
}
