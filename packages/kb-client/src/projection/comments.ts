// Every sentence the fabric writes on a card. A mark (epoch and nonce) at the end makes a comment findable again, so
// that whoever repairs a projection does not say a thing twice.
import type { ClaimRef } from "../ledger/index.ts";

/** Longer answers are read in the file; a board with pages of text in a comment is no board. */
const MAX_SHOWN = 3000;

/** `e3-9f2c…`: names one claim. */
export function mark(claim: ClaimRef): string {
  return `e${claim.epoch}-${claim.nonce}`;
}

export function resultFileName(claim: ClaimRef): string {
  return `result-${mark(claim)}.md`;
}

export function lockComment(agent: string, at: Date, claim: ClaimRef): string {
  return `🔒 claimed by \`${agent}\` at ${iso(at)} · epoch ${claim.epoch} · renewed while running · ${mark(claim)}`;
}

export function lockEnded(agent: string, at: Date, claim: ClaimRef, how: string): string {
  return `🔓 claim of \`${agent}\` ended at ${iso(at)}: ${how} · epoch ${claim.epoch} · ${mark(claim)}`;
}

export function doneComment(note: string, claim: ClaimRef, edited: boolean): string {
  const warning = edited
    ? "\n\n⚠️ The card was edited after the work began: this answers the earlier text."
    : "";
  return `✅ ${note}${warning}\n\n\`${resultFileName(claim)}\` · ${mark(claim)}`;
}

/** What of a result is shown on the card: the whole where it is short, else its beginning and its last paragraph. */
export function excerpt(result: string): string {
  if (result.length <= MAX_SHOWN) return result;
  const last = result.slice(result.lastIndexOf("\n\n") + 2);
  const tail = last.length < MAX_SHOWN / 4 ? `\n\n${last}` : "";
  return `${result.slice(0, MAX_SHOWN - tail.length)} …\n\n_The whole answer is in the attached file._${tail}`;
}

export function failedComment(reason: string, retryAt: Date, claim: ClaimRef): string {
  return `❌ attempt failed: ${reason}\n\nTried again after ${iso(retryAt)} · ${mark(claim)}`;
}

export function deadComment(reason: string, attempts: number, claim: ClaimRef): string {
  return `☠️ dead letter after ${attempts} attempts: ${reason}\n\nDrag it to **Ready** to try again · ${mark(claim)}`;
}

export function parkedComment(reason: string, until: Date | null, claim: ClaimRef): string {
  const when = until
    ? `Goes on after ${iso(until)}; no attempt is used up.`
    : "Answer in a comment, then drag it to **Ready**.";
  return `⏸️ parked: ${reason}\n\n${when} · ${mark(claim)}`;
}

export function expiredComment(agent: string, claim: ClaimRef): string {
  return `⏱️ the lease of \`${agent}\` expired: back in the queue · ${mark(claim)}`;
}

export function gestureComment(says: string, n: number): string {
  return `👤 ${says} · n${n}`;
}

export function whyComment(why: string): string {
  return `ℹ️ ${why}`;
}

/** Second resolution; Kanboard shows comments in the reader's own zone, this text is UTC. */
function iso(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
