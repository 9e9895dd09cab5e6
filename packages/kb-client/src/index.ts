// The shared library: Kanboard's RPC, the ledger, status, projection and the steps of the protocol.
export * from "./errors.ts";
export type * from "./ids.ts";
export * from "./ledger/index.ts";
export * from "./lifecycle/index.ts";
export type * from "./ports.ts";
export * from "./projection/index.ts";
export * from "./queue/index.ts";
export * from "./rpc/index.ts";
export * from "./status/index.ts";
export * from "./system-ports.ts";
