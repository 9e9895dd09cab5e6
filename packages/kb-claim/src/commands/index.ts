// The verbs, each loaded only when it is asked for.
import type { Command } from "commander";
import type { Act } from "./act.ts";

type Declare = (act: Act) => Command;

export const COMMANDS: Readonly<Record<string, () => Promise<Declare>>> = {
  next: async () => (await import("./next.ts")).nextCommand,
  take: async () => (await import("./take.ts")).takeCommand,
  renew: async () => (await import("./renew.ts")).renewCommand,
  "lease-status": async () => (await import("./lease-status.ts")).leaseStatusCommand,
  done: async () => (await import("./done.ts")).doneCommand,
  release: async () => (await import("./release.ts")).releaseCommand,
  submit: async () => (await import("./submit.ts")).submitCommand,
  why: async () => (await import("./why.ts")).whyCommand,
};
