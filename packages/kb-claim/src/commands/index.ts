// The verbs, each loaded only when it is asked for; the bundle has a file for each, made of these lines.
import type { Command } from "commander";
import type { Act } from "./act.ts";

type Declare = (act: Act) => Command;

export const COMMANDS: Readonly<Record<string, () => Promise<Declare>>> = {
  next: async () => (await import("./next.ts")).command,
  take: async () => (await import("./take.ts")).command,
  renew: async () => (await import("./renew.ts")).command,
  "lease-status": async () => (await import("./lease-status.ts")).command,
  done: async () => (await import("./done.ts")).command,
  release: async () => (await import("./release.ts")).command,
  submit: async () => (await import("./submit.ts")).command,
  why: async () => (await import("./why.ts")).command,
};
