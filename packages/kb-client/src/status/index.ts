// Status of a task, derived from its card and its log.
export * from "./status.ts";
