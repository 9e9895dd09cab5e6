// Turns what Kanboard answers into one form. The same field is a number, a string or a boolean, and an empty map is
// {} or [], depending on the database and the PHP version; nothing outside this file knows.
import * as z from "zod/mini";

/** 7, "7" (PostgreSQL's subtask times, PHP before 8.1), true (PostgreSQL) or null. */
export const int = z.pipe(
  z.union([z.number(), z.string(), z.boolean(), z.null(), z.undefined()]),
  z.transform((value, { issues }) => {
    const number = value === null || value === undefined || value === "" ? 0 : Number(value);
    if (Number.isFinite(number)) return number;
    issues.push({
      code: "custom",
      message: `not a number: ${JSON.stringify(value)}`,
      input: value,
    });
    return z.NEVER;
  }),
);

const whole = int.check(z.refine((value) => Number.isInteger(value), "not an id"));

/** An id of a row that must exist. */
export function id<T extends number>(): z.ZodMiniType<T> {
  return whole as unknown as z.ZodMiniType<T>;
}

const positive = z.pipe(
  int,
  z.transform((value) => (value === 0 ? null : value)),
);

/** 0, null, "" and false all mean "none". */
export function idOrNull<T extends number>(): z.ZodMiniType<T | null> {
  return positive as unknown as z.ZodMiniType<T | null>;
}

/** The answer of a create call: a new id, or false, 0 or null when it was refused. */
export function created<T extends number>(): z.ZodMiniType<T | null> {
  return idOrNull<T>();
}

/** true and false on PostgreSQL, 1 and 0 elsewhere, "t" and "1" from old versions. */
export const bool = z.pipe(
  z.union([z.boolean(), z.number(), z.string(), z.null()]),
  z.transform((value) => value === true || value === 1 || value === "1" || value === "t"),
);

/** Epoch seconds; 0 means that there is none. */
export const epochOrNull = positive;

export const text = z.pipe(
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.undefined()]),
  z.transform((value) =>
    value === null || value === undefined || value === false ? "" : `${value}`,
  ),
);

export const textOrNull = z.pipe(
  text,
  z.transform((value) => (value === "" ? null : value)),
);

/** `{"7": "name"}`; PHP writes an empty one as `[]`, and one with the keys 0, 1, 2 as a list. */
export const map = z.pipe(
  z.union([z.record(z.string(), text), z.array(text)]),
  z.transform((value): Record<string, string> => Object.fromEntries(Object.entries(value))),
);

/** A row that is not there: null, false or an empty list. */
export function orNull<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T | null> {
  const none = z.pipe(
    z.union([z.null(), z.literal(false), z.tuple([])]),
    z.transform(() => null),
  );
  return z.union([none, schema]);
}
