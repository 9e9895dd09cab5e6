// The worker daemon's parts that others build on.
export * from "./executor.ts";
export * from "./worker.ts";
