// A procedure of the in-memory board: its parameters as Kanboard declares them, and what it does.
import type { Call } from "./board.ts";
import { ElementFault } from "./faults.ts";

export const REQUIRED = Symbol("required");

export type Args = Record<string, unknown>;

export interface Method {
  /** Names in order with their defaults. */
  params: Readonly<Record<string, unknown>>;
  run(call: Call, args: Args): unknown;
}

export type Methods = Readonly<Record<string, Method>>;

export function method(
  params: Readonly<Record<string, unknown>>,
  run: (call: Call, args: Args) => unknown,
): Method {
  return { params, run };
}

/** By name: unknown names are ignored as long as there are not more than the method has; null is a value. */
export function bind(method: Method, given: Readonly<Record<string, unknown>>): Args {
  const names = Object.keys(method.params);
  if (Object.keys(given).length > names.length) {
    throw new ElementFault(-32602, "Invalid params", "Too many arguments");
  }
  const args: Args = {};
  for (const name of names) {
    const value = given[name] === undefined ? method.params[name] : given[name];
    if (value === REQUIRED) {
      throw new ElementFault(-32602, "Invalid params", "Missing argument: " + name);
    }
    args[name] = value;
  }
  return args;
}

/** As PHP reads an id: a numeric string is one too. */
export function num(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

export function str(value: unknown): string {
  if (value === null || value === undefined || value === false) return "";
  return value === true ? "1" : `${value as string | number}`;
}
