// kb-claim as a library: every verb as a function, for tests and for other doors.
export { COMMANDS } from "./commands/index.ts";
export { done } from "./commands/done.ts";
export { leaseStatus } from "./commands/lease-status.ts";
export { next } from "./commands/next.ts";
export { release } from "./commands/release.ts";
export { renew } from "./commands/renew.ts";
export { submit, type SubmitInput } from "./commands/submit.ts";
export { take } from "./commands/take.ts";
export { why } from "./commands/why.ts";
export { type Door, openDoor, type Ports } from "./door/door.ts";
export type { Environment } from "./entry/environment.ts";
export { EXIT, EXIT_MEANINGS, type Exit } from "./exit-codes.ts";
export type { BootClock } from "./lease/boot-clock.ts";
export { LeaseStore } from "./lease/lease-store.ts";
export type { Answer } from "./output/answer.ts";
export { emptyProgram, run, type Shell } from "./program.ts";
export { VERSION } from "./version.ts";
