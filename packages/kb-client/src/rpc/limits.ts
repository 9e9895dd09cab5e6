// Checks before sending, against the strictest of the three databases, so that a card made on SQLite today can be
// made on PostgreSQL or MariaDB tomorrow. Lengths count characters (code points), as those databases do.
import { FabricError } from "../errors.ts";

const MAX = {
  title: 255,
  tagName: 191,
  tagColor: 50,
  metadataName: 50,
  metadataValue: 255,
  reference: 191,
  fileName: 191,
} as const;

/** With the u flag a proper pair is one code point of another category. */
const loneSurrogate = /\p{Surrogate}/gu;

/**
 * Prose is cleaned, not refused: an answer of a model must not be lost over one character. NUL is dropped
 * (PostgreSQL can't store it) and half a surrogate pair becomes U+FFFD (one makes PHP refuse the whole batch).
 */
export function cleanText(text: string): string {
  return text.replaceAll("\u0000", "").replaceAll(loneSurrogate, "\uFFFD");
}

/** Keys are refused, not cleaned: a changed key is another key. */
function checkKey(what: string, text: string): string {
  if (text.includes("\u0000")) {
    throw new FabricError(`the ${what} contains a NUL character`, {
      code: "KB_NUL_CHARACTER",
      retryable: "no",
      hint: "PostgreSQL can't store U+0000: remove it.",
    });
  }
  if (text.search(loneSurrogate) !== -1) {
    throw new FabricError(`the ${what} contains half of a surrogate pair`, {
      code: "KB_LONE_SURROGATE",
      retryable: "no",
      hint: "It was cut in the middle of a character: cut by code points instead.",
    });
  }
  return text;
}

function checkLength(code: string, what: string, text: string, max: number): string {
  // Code points are never more than UTF-16 units, so most texts need no counting.
  if (text.length <= max) return text;
  const length = Array.from(text).length;
  if (length <= max) return text;
  throw new FabricError(`the ${what} has ${length} characters, at most ${max} are possible`, {
    code,
    retryable: "no",
    hint: "Shorten it; SQLite would take it, PostgreSQL and MariaDB would not.",
    details: { length, max },
  });
}

/** One line, as Kanboard shows it. */
export function checkTitle(title: string): string {
  const clean = cleanText(title);
  if (clean.trim() === "") {
    throw new FabricError("the title is empty", {
      code: "KB_LIMIT_TITLE",
      retryable: "no",
      hint: "Kanboard needs a title to show and to open the card by.",
    });
  }
  if (clean === "0") {
    throw new FabricError('Kanboard takes the title "0" for none and writes "Untitled"', {
      code: "KB_LIMIT_TITLE",
      retryable: "no",
      hint: 'Add a word, such as "Item 0".',
    });
  }
  return checkLength("KB_LIMIT_TITLE", "title", clean, MAX.title);
}

export function checkTagName(name: string): string {
  if (name.trim() === "") {
    throw new FabricError("the name of a tag is empty", {
      code: "KB_LIMIT_TAG_NAME",
      retryable: "no",
      hint: "Give the tag a name.",
    });
  }
  return checkLength("KB_LIMIT_TAG_NAME", "tag name", checkKey("tag name", name), MAX.tagName);
}

export function checkTagColor(color: string): string {
  return checkLength(
    "KB_LIMIT_TAG_COLOR",
    "tag colour",
    checkKey("tag colour", color),
    MAX.tagColor,
  );
}

export function checkReference(reference: string): string {
  const checked = checkKey("reference", reference);
  return checkLength("KB_LIMIT_REFERENCE", "reference", checked, MAX.reference);
}

export function checkFileName(name: string): string {
  return checkLength("KB_LIMIT_FILE_NAME", "file name", checkKey("file name", name), MAX.fileName);
}

export function checkMetadata(values: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(values)) {
    const what = `metadata name ${JSON.stringify(name)}`;
    checkLength("KB_LIMIT_METADATA", what, checkKey("metadata name", name), MAX.metadataName);
    const of = `metadata value of ${name}`;
    checkLength("KB_LIMIT_METADATA", of, checkKey(of, value), MAX.metadataValue);
  }
  return { ...values };
}
