// A queue's layout and rules.
export * from "./layout.ts";
