// The fabric over a board: configuration, set-up, and the one verb.
export * from "./config/binding-of.ts";
export * from "./config/index.ts";
export * from "./open-at-once.ts";
export * from "./open-fabric.ts";
export * from "./setup/agent.ts";
export * from "./setup/inbox.ts";
export * from "./setup/ledger.ts";
export * from "./setup/queue.ts";
export * from "./submit/submit.ts";
export * from "./submit/submitted.ts";
