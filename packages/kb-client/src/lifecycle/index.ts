// The protocol's steps over a board: claim, renew, finish, expire, reconcile.
export * from "./agent-directory.ts";
export * from "./append.ts";
export * from "./claim.ts";
export * from "./context.ts";
export * from "./ending.ts";
export * from "./events.ts";
export * from "./finish-done.ts";
export * from "./finish-early.ts";
export * from "./held-claim.ts";
export * from "./lease-keeper.ts";
export * from "./poll.ts";
export * from "./read-log.ts";
export * from "./reconcile-card.ts";
export * from "./result-file.ts";
export * from "./sweep.ts";
export * from "./sweep-memory.ts";
