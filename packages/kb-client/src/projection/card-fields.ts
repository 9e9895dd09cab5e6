// The metadata that the fabric keeps on a card, and its codecs. Kanboard's limits: names 50, values 255 characters.
import type { ColumnId } from "../ids.ts";
import { type LogKey, parseSlotName, slotName } from "../ledger/index.ts";

export const FIELD = {
  /** The last projection: which head it showed, in which column, and the card's `date_moved` then. */
  card: "f.card",
  /** Head hint: full key and number of a claimable head. */
  head: "f.head",
  /** Why a parked task waits: slot number, and until when or for whom. */
  wait: "f.wait",
  /** Highest epoch removed by garbage collection. */
  floor: "f.epoch",
  /** The last explanation given for a card that nobody will take. */
  why: "f.why",
  /** Idempotency key of the submission. */
  key: "f.key",
} as const;

export type Metadata = Readonly<Record<string, string>>;

export interface CardRecord {
  n: number;
  columnId: ColumnId;
  dateMoved: number;
}

export function encodeCardRecord(record: CardRecord): string {
  return `${record.n}.${record.columnId}.${record.dateMoved}`;
}

export function cardRecord(metadata: Metadata): CardRecord | null {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(metadata[FIELD.card] ?? "");
  if (!match) return null;
  return {
    n: Number(match[1]),
    columnId: Number(match[2]) as ColumnId,
    dateMoved: Number(match[3]),
  };
}

export function encodeHint(key: LogKey, n: number): string {
  return slotName(key, n);
}

/** A hint of another key is a copied or inherited one and counts for nothing. */
export function headHint(metadata: Metadata, key: LogKey): number | null {
  const hint = parseSlotName(metadata[FIELD.head] ?? "");
  return hint?.key === key ? hint.n : null;
}

export type Wait = { until: number } | { human: true };

export function encodeWait(n: number, wait: Wait): string {
  return "until" in wait ? `${n}.until.${wait.until}` : `${n}.human`;
}

/** What slot `n` waits for; null when the note belongs to another slot. Times are epoch seconds. */
export function waitOf(metadata: Metadata, n: number): Wait | null {
  const match = /^(\d+)\.(?:until\.(\d+)|human)$/.exec(metadata[FIELD.wait] ?? "");
  if (!match || Number(match[1]) !== n) return null;
  return match[2] === undefined ? { human: true } : { until: Number(match[2]) };
}

export function floorOf(metadata: Metadata): number {
  const floor = Number(metadata[FIELD.floor] ?? 0);
  return Number.isInteger(floor) && floor > 0 ? floor : 0;
}
