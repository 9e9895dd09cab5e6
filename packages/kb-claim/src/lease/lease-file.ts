// What a lease file says: everything a later command needs to act under a claim that an earlier one won.
import type { CommentId, Epoch, LogKey, Nonce, TagId, Task } from "@agap/kb-client";
import type { Stamp } from "./boot-clock.ts";

interface LeaseFacts {
  v: 1;
  queue: string;
  /** The card as it was when the work began. */
  task: Task;
  key: LogKey;
  nonce: Nonce;
  agent: string;
  session: string;
  /** When the claim, or the last confirmed renewal, was *sent*. */
  sentAt: Stamp;
}

/** Written before the claim is sent, so that a claim whose reply never arrived is found again by its nonce. */
export type IntendedLease = LeaseFacts & { state: "intended" };

export type HeldLease = LeaseFacts & {
  state: "held";
  epoch: Epoch;
  tagId: TagId;
  /** Of the claim's slot when it was last confirmed, server time in seconds. */
  beat: number;
  lockComment: CommentId | null;
};

/** Kept until the next claim of this session, so that every later verb gives the same answer. */
type LostLease = LeaseFacts & { state: "lost"; why: string };

export type LeaseFile = IntendedLease | HeldLease | LostLease;

export function formatLease(lease: LeaseFile): string {
  return `${JSON.stringify(lease, null, 2)}\n`;
}

/** Null for a text that is no lease of this version: half-written by a full disk, or by another program. */
export function parseLease(text: string): LeaseFile | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  return isLease(data) ? data : null;
}

/**
 * By hand and not by a schema: these files are written by this program alone, and every verb reads them, so that a
 * schema library would be loaded for nothing.
 */
function isLease(data: unknown): data is LeaseFile {
  if (!isRecord(data) || data["v"] !== 1) return false;
  const { task, sentAt } = data;
  const texts = ["queue", "key", "nonce", "agent", "session"].every(
    (name) => typeof data[name] === "string",
  );
  const facts =
    texts &&
    isRecord(task) &&
    ["id", "projectId", "columnId", "dateCreation"].every((name) => isNumber(task[name])) &&
    typeof task["title"] === "string" &&
    isRecord(sentAt) &&
    isNumber(sentAt["wall"]) &&
    isNumber(sentAt["sinceBoot"]) &&
    typeof sentAt["boot"] === "string";
  if (!facts) return false;
  if (data["state"] === "intended") return true;
  if (data["state"] === "lost") return typeof data["why"] === "string";
  return (
    data["state"] === "held" &&
    ["epoch", "tagId", "beat"].every((name) => isNumber(data[name])) &&
    (data["lockComment"] === null || isNumber(data["lockComment"]))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
