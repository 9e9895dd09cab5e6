// What a ledger slot can say, and what may follow it. This table is the whole law of the ledger.

/** One letter per kind of slot; the letter is what is stored. */
export const KINDS = {
  c: "claim",
  x: "expired",
  r: "released",
  p: "parked",
  u: "unparked",
  f: "failed attempt",
  d: "done",
  v: "verified",
  k: "dead letter",
  q: "canceled",
  h: "taken by a person",
  o: "reopened",
} as const;

export type Kind = keyof typeof KINDS;

export function isKind(letter: string): letter is Kind {
  return Object.hasOwn(KINDS, letter);
}

/** Heads from which a worker may claim; their writer leaves a head hint on the card. */
export const CLAIMABLE = new Set<Kind | "none">(["none", "x", "r", "u", "f", "o"]);

/** Heads after which nothing follows but a reopening (and, for `d`, its verification). */
export const SETTLED = new Set<Kind>(["d", "v", "k", "q"]);

const FROM_CLAIMABLE: readonly Kind[] = ["c", "p", "h", "k", "q"];

/**
 * Legal successors of a head; `none` is the empty log.
 * `x -> r` is not here: a release of an expired claim is fenced like everything else of that claim.
 */
export const SUCCESSORS: Readonly<Record<Kind | "none", readonly Kind[]>> = {
  none: FROM_CLAIMABLE,
  x: FROM_CLAIMABLE,
  r: FROM_CLAIMABLE,
  u: FROM_CLAIMABLE,
  f: FROM_CLAIMABLE,
  o: FROM_CLAIMABLE,
  c: ["x", "r", "p", "f", "d", "k", "q", "h"],
  p: ["u", "q", "k", "h"],
  h: ["r", "d", "q"],
  d: ["v", "o"],
  k: ["o"],
  q: ["o"],
  v: ["o"],
};
