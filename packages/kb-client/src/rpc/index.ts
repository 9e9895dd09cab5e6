// Kanboard's JSON-RPC: typed procedures, the client, the HTTP transport.
export * from "./board-info.ts";
export * from "./client.ts";
export * from "./http-transport.ts";
export * from "./procedure.ts";
export * from "./procedures/app.ts";
export * from "./procedures/comments.ts";
export * from "./procedures/files.ts";
export * from "./procedures/layout.ts";
export * from "./procedures/links.ts";
export * from "./procedures/metadata.ts";
export * from "./procedures/moves.ts";
export * from "./procedures/projects.ts";
export * from "./procedures/tags.ts";
export * from "./procedures/tasks.ts";
export * from "./procedures/users.ts";
export * from "./text.ts";
export * from "./transport.ts";
export type * from "./types.ts";
