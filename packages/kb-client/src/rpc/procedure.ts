// A procedure is a value: method, parameters, how to read its answer, and whether it writes. Values can be batched
// and keep their types.
import type { RpcRequest } from "./transport.ts";

export interface Procedure<R> extends RpcRequest {
  kind: "read" | "write";
  /** Turns Kanboard's raw result into a typed value; throws FabricError `KB_UNEXPECTED_REPLY`. */
  parse(raw: unknown): R;
}

export type ResultOf<P> = P extends Procedure<infer R> ? R : never;
