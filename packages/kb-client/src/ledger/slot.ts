// The codec of a ledger slot: a tag whose name is the key and whose colour field carries the payload.
import { FabricError } from "../errors.ts";
import type { Epoch, Nonce, TagId, TaskId } from "../ids.ts";
import { isKind, type Kind } from "./kinds.ts";

/**
 * Names a task's log: `t<task>-<date_creation base36>`. The creation time is part of it because SQLite gives the id
 * of a deleted newest task to the next one, which must not inherit its log.
 */
export type LogKey = string & { readonly __logKey: true };

export interface Slot {
  key: LogKey;
  /** Position in the log from 1; for a claim this is the epoch. */
  n: Epoch;
  kind: Kind;
  /** Who wrote it: the account's slug, at most 20 characters. */
  agent: string;
  /** Of the claim that this slot starts or ends; for slots outside a claim a fresh one. */
  nonce: Nonce;
  /** Server time in seconds when written or last renewed; only a claim's beat ever changes. */
  beat: number;
  /** The tag that holds it; absent while it is only planned. */
  tagId?: TagId;
}

export const NONCE_LENGTH = 10;
const MAX_AGENT = 20;
const BEAT_LENGTH = 6;
/** PostgreSQL and MariaDB refuse a longer colour field, SQLite does not. */
export const MAX_PAYLOAD = 50;

/** What the ledger takes for an agent. */
export const agentPattern = /^[a-z0-9][a-z0-9._-]{0,19}$/;
const payloadPattern = /^([a-z]):([a-z0-9][a-z0-9._-]{0,19}):([a-z0-9]{10}):([a-z0-9]{6})$/;
const slotNamePattern = /^(t\d+-[a-z0-9]+)\.(\d+)$/;

/** The account name as the ledger writes it: lower case, other characters replaced, cut at 20. */
export function toAgentSlug(username: string): string {
  const slug = username
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, MAX_AGENT);
  return slug === "" ? "agent" : slug;
}

export function logKey(task: { id: TaskId; dateCreation: number }): LogKey {
  return `t${task.id}-${task.dateCreation.toString(36)}` as LogKey;
}

/** The task id inside a log key. */
export function taskIdOf(key: LogKey): TaskId {
  return Number.parseInt(key.slice(1), 10) as TaskId;
}

export function slotName(key: LogKey, n: number): string {
  return `${key}.${n}`;
}

export function parseSlotName(name: string): { key: LogKey; n: Epoch } | null {
  const match = slotNamePattern.exec(name);
  if (!match) return null;
  return { key: match[1] as LogKey, n: Number(match[2]) as Epoch };
}

export function encodePayload(slot: Pick<Slot, "kind" | "agent" | "nonce" | "beat">): string {
  const payload = `${slot.kind}:${slot.agent}:${slot.nonce}:${encodeBeat(slot.beat)}`;
  if (!payloadPattern.test(payload) || payload.length > MAX_PAYLOAD) {
    throw new FabricError(`not a ledger payload: ${JSON.stringify(payload)}`, {
      code: "LEDGER_BAD_PAYLOAD",
      retryable: "no",
      hint: "Agent names have 1 to 20 characters of a-z 0-9 . _ - ; nonces have 10.",
    });
  }
  return payload;
}

/** Returns null for a tag that is no slot of ours: a person may have made it. */
export function parseSlot(tag: { id: TagId; name: string; color: string | null }): Slot | null {
  const position = parseSlotName(tag.name);
  const match = payloadPattern.exec(tag.color ?? "");
  if (!position || !match) return null;
  const [, kind = "", agent = "", nonce = "", beat = ""] = match;
  if (!isKind(kind)) return null;
  return {
    ...position,
    kind,
    agent,
    nonce: nonce as Nonce,
    beat: Number.parseInt(beat, 36),
    tagId: tag.id,
  };
}

/** Six characters of base36 hold seconds until the year 2038; a beat beyond that would need a seventh. */
function encodeBeat(seconds: number): string {
  return Math.max(0, Math.floor(seconds)).toString(36).padStart(BEAT_LENGTH, "0");
}
