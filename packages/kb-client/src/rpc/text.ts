// Text that agents write must not call people: "@name" in a comment or description notifies the member of that name.

/** As Kanboard finds them: everything up to a space or one of , ! : ? and trailing dots do not count. */
const mention = /@(?=([^\s,!:?]+))/g;
/** Only such a text can be somebody's user name: `@ada)`, `@scope/package` and "`@ada`" notify nobody. */
const userName = /^[\p{L}\p{N}_.+-]*[\p{L}\p{N}_+-]\.*$/u;

/**
 * Puts an invisible word joiner (U+2060) behind the "@" of what would notify somebody; shown text stays as it was.
 * Mail addresses are left alone: `a@b.c` would notify only a person whose user name is `b.c`. Works on Kanboard
 * 1.2.51, where a backslash does not.
 */
export function escapeMentions(text: string): string {
  return text.replaceAll(mention, (at, name: string, offset: number) => {
    const inAddress = /[\w%+-]/.test(text[offset - 1] ?? "") && /\..*[^.]/.test(name);
    return userName.test(name) && !inAddress ? `${at}\u2060` : at;
  });
}
