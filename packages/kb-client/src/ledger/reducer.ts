// The pure reducer of the claim protocol: what may be written next, given the log as it was read.
// It only says what is legal; that one writer wins is the database's unique index on the slot's name.
import type { Epoch, Nonce } from "../ids.ts";
import { type Kind, SUCCESSORS } from "./kinds.ts";
import { attempts, nextSlotNumber, snoozes, type TaskLog } from "./log.ts";
import type { Slot } from "./slot.ts";

/** A task that was parked this often in one round, or whose log is this long, is put before a person. */
export const MAX_SNOOZES = 20;
export const MAX_SLOTS = 200;

/** The claim that a holder acts under. Epoch and nonce together are the fence. */
export interface ClaimRef {
  epoch: Epoch;
  nonce: Nonce;
}

export type Command =
  /** A worker takes the task. */
  | { type: "claim"; agent: string; nonce: Nonce; beat: number }
  /** The holder ends its own claim. */
  | { type: "finish" | "release" | "park"; claim: ClaimRef; agent: string; beat: number }
  | { type: "fail"; claim: ClaimRef; agent: string; beat: number; maxAttempts: number }
  /** The reaper ends a claim whose beat stood still for a lease. */
  | { type: "expire"; observed: Slot; agent: string; beat: number; maxAttempts: number }
  /** What a person did on the board, or the keeper found, recorded by whoever saw it. */
  | {
      type: "record";
      kind: Exclude<Kind, "c" | "x" | "f">;
      agent: string;
      nonce: Nonce;
      beat: number;
    };

export type Refusal =
  /** The claim this command stands on has ended: an expiry, a person, or another worker came first. */
  | "fenced"
  /** The head allows no such successor. */
  | "illegal";

export type Transition = { ok: true; slot: Slot } | { ok: false; reason: Refusal };

export function next(log: TaskLog, command: Command): Transition {
  switch (command.type) {
    case "claim":
      return write(log, "c", command, command.nonce);
    case "finish":
      return writeAsHolder(log, "d", command);
    case "release":
      return writeAsHolder(log, "r", command);
    case "park":
      return writeAsHolder(log, "p", command);
    case "fail":
      return writeAsHolder(log, bounded("f", log, command.maxAttempts), command);
    case "expire": {
      const { observed } = command;
      const unchanged = log.head?.nonce === observed.nonce && log.head.beat === observed.beat;
      if (!unchanged || log.head?.n !== observed.n) return { ok: false, reason: "fenced" };
      return write(log, bounded("x", log, command.maxAttempts), command, observed.nonce);
    }
    case "record":
      return write(log, command.kind, command, command.nonce);
  }
}

/** True when the task has used up its patience and belongs before a person instead of back in the queue. */
export function isWornOut(log: TaskLog): boolean {
  return snoozes(log) >= MAX_SNOOZES || (log.head?.n ?? 0) - log.floor >= MAX_SLOTS;
}

/** At the bound of attempts the dead letter is written *instead*, so that a crash in between can't lose the count. */
function bounded(kind: "x" | "f", log: TaskLog, maxAttempts: number): Kind {
  return attempts(log) >= maxAttempts ? "k" : kind;
}

function writeAsHolder(
  log: TaskLog,
  kind: Kind,
  command: { claim: ClaimRef; agent: string; beat: number },
): Transition {
  const { head } = log;
  const holds =
    head?.kind === "c" && head.n === command.claim.epoch && head.nonce === command.claim.nonce;
  return holds ? write(log, kind, command, command.claim.nonce) : { ok: false, reason: "fenced" };
}

function write(
  log: TaskLog,
  kind: Kind,
  by: { agent: string; beat: number },
  nonce: Nonce,
): Transition {
  if (!SUCCESSORS[log.head?.kind ?? "none"].includes(kind)) return { ok: false, reason: "illegal" };
  const slot: Slot = {
    key: log.key,
    n: nextSlotNumber(log),
    kind,
    agent: by.agent,
    nonce,
    beat: by.beat,
  };
  return { ok: true, slot };
}
