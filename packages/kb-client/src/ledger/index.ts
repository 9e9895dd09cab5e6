// The ledger: an append-only log per task, kept in tags; pure parts only.
export * from "./binding.ts";
export * from "./kinds.ts";
export * from "./log.ts";
export * from "./reducer.ts";
export * from "./slot.ts";
