// Configuration files: their schemas, how they are read and written.
export * from "./board-config.ts";
export * from "./duration.ts";
export * from "./queue-config.ts";
