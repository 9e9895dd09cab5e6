// Stand-ins for tests: a Kanboard in memory, a clock that stands still, a die that repeats.
export * from "./memory-kanboard.ts";
export * from "./person.ts";
export * from "./virtual-clock.ts";
