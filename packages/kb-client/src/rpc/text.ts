// Text that agents write must not call people: "@name" in a description or comment notifies that member.

/**
 * Breaks mentions with a word joiner (U+2060, invisible) behind the "@". Kanboard reads a mention where "@" follows
 * the start of the text or a character that is no letter, so addresses such as a@b.c are left as they are.
 */
export function escapeMentions(text: string): string {
  return text.replaceAll(/@(?=[\p{L}\p{N}_.-])/gu, "@\u2060");
}
