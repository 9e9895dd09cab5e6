// The application itself, and the way to a method that has no function here.
import * as z from "zod/mini";
import { read, write } from "../define.ts";
import { text } from "../normalise.ts";
import type { Procedure } from "../procedure.ts";

/** Such as "1.2.51". */
export function getVersion(): Procedure<string> {
  return read("getVersion", {}, text);
}

/** IANA name of the zone in which the calling account's dates are read. */
export function getTimezone(): Procedure<string> {
  return read("getTimezone", {}, text);
}

/** Any method by name; the answer is not read. */
export function rawCall(
  method: string,
  params: Readonly<Record<string, unknown>>,
  kind: "read" | "write",
): Procedure<unknown> {
  return (kind === "read" ? read : write)(method, params, z.unknown());
}
