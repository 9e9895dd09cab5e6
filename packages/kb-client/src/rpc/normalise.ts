// Turns what Kanboard answers into one form. The same field is a number, a string or a boolean, and an empty map is
// {} or [], depending on the database and the PHP version; nothing outside this file knows.
import { z } from "zod";

/** 7, "7" (PostgreSQL's subtask times, PHP before 8.1), true (PostgreSQL) or null. */
export const int = z
  .union([z.number(), z.string(), z.boolean(), z.null(), z.undefined()])
  .transform((value, context) => {
    const number = value === null || value === undefined || value === "" ? 0 : Number(value);
    if (Number.isFinite(number)) return number;
    context.addIssue({ code: "custom", message: `not a number: ${JSON.stringify(value)}` });
    return z.NEVER;
  });

/** An id of a row that must exist. */
export function id<T extends number>(): z.ZodType<T> {
  return int.refine((value) => Number.isInteger(value), "not an id") as unknown as z.ZodType<T>;
}

/** 0, null, "" and false all mean "none". */
export function idOrNull<T extends number>(): z.ZodType<T | null> {
  return int.transform((value) => (value === 0 ? null : value)) as unknown as z.ZodType<T | null>;
}

/** The answer of a create call: a new id, or false, 0 or null when it was refused. */
export function created<T extends number>(): z.ZodType<T | null> {
  return idOrNull<T>();
}

/** true and false on PostgreSQL, 1 and 0 elsewhere, "t" and "1" from old versions. */
export const bool = z
  .union([z.boolean(), z.number(), z.string(), z.null()])
  .transform((value) => value === true || value === 1 || value === "1" || value === "t");

/** Epoch seconds; 0 means that there is none. */
export const epochOrNull = int.transform((value) => (value === 0 ? null : value));

export const text = z
  .union([z.string(), z.number(), z.boolean(), z.null(), z.undefined()])
  .transform((value) =>
    value === null || value === undefined || value === false ? "" : `${value}`,
  );

export const textOrNull = text.transform((value) => (value === "" ? null : value));

/** `{"7": "name"}`; PHP writes an empty one as `[]`, and one with the keys 0, 1, 2 as a list. */
export const map = z
  .union([z.record(z.string(), text), z.array(text)])
  .transform((value): Record<string, string> => Object.fromEntries(Object.entries(value)));

/** A row that is not there: null, false or an empty list. */
export function orNull<T>(schema: z.ZodType<T>): z.ZodType<T | null> {
  const none = z
    .union([z.null(), z.literal(false), z.tuple([])])
    .transform(() => null) as unknown as z.ZodType<T | null>;
  return z.union([none, schema]) as z.ZodType<T | null>;
}
