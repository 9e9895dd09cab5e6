// Makes untrusted text safe for a terminal without hiding anything: what would steer the screen or turn the reading
// direction is shown as its code point.

/**
 * C0 and C1 controls except tab and line ends, DEL, and the invisible characters that reorder or hide text: bidirectional
 * marks and overrides, zero-width ones, line and paragraph separators, the byte order mark, and tags (U+E00xx).
 */
const STEERING =
  // oxlint-disable-next-line no-control-regex -- naming them is the purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]|\r(?!\n)/gu;

/** Text of several lines, each character that steers shown as `<U+001B>`; the rest is untouched. */
export function printable(text: string): string {
  return text.replace(STEERING, codePoint);
}

/** The same for a title or a name: line ends and tabs would break the layout around it. */
export function printableLine(text: string): string {
  return printable(text.replace(/[\r\n\t]+/g, " "));
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `<U+${hex}>`;
}

/** JSON on one line that no terminal obeys; parses back to exactly the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(STEERING, (character) =>
    Array.from({ length: character.length }, (_, i) => escapeUnit(character.charCodeAt(i))).join(
      "",
    ),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
