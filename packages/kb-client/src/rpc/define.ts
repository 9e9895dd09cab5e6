// Makes a procedure from a method, its parameters and the shape of its answer.
import { en } from "zod/locales";
import * as z from "zod/mini";
import { FabricError } from "../errors.ts";
import type { Procedure } from "./procedure.ts";

// Unlike its larger entry, zod/mini says only "Invalid input" until it is given a language.
z.config(en());

type Params = Readonly<Record<string, unknown>>;

export function read<R>(method: string, params: Params, shape: z.ZodMiniType<R>): Procedure<R> {
  return define("read", method, params, shape);
}

export function write<R>(method: string, params: Params, shape: z.ZodMiniType<R>): Procedure<R> {
  return define("write", method, params, shape);
}

function define<R>(
  kind: "read" | "write",
  method: string,
  params: Params,
  shape: z.ZodMiniType<R>,
): Procedure<R> {
  return { kind, method, params: given(params), parse: (raw) => parseReply(method, shape, raw) };
}

/** Leaves out what was not given: for Kanboard a missing parameter is its default, and null sometimes is not. */
function given(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

function parseReply<R>(method: string, shape: z.ZodMiniType<R>, raw: unknown): R {
  const parsed = shape.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw new FabricError(`${method} answered something else: ${z.prettifyError(parsed.error)}`, {
    code: "KB_UNEXPECTED_REPLY",
    retryable: "no",
    hint: "Tested with Kanboard 1.2.51: compare the board's version, or a plugin changes this answer.",
    details: { method, reply: JSON.stringify(raw)?.slice(0, 200) },
  });
}
