// Text from an argument, a file or the standard input: quoting is never needed, and what is no text is refused.
import { readFile, stat } from "node:fs/promises";
import { FabricError } from "@agap/kb-client";

export interface TextSource {
  text?: string | undefined;
  file?: string | undefined;
  stdin?: boolean | undefined;
}

/** Far above what a card or a result may hold; stops a mistaken `--file` before it fills the memory. */
const MAX_BYTES = 32 * 2 ** 20;

/**
 * Undefined when no source was given.
 * @param names of the three options, for the message
 * @throws FabricError `CLI_USAGE` for two sources, `INPUT_FILE`, `INPUT_TEXT`
 */
export async function readText(
  source: TextSource,
  stdin: () => Promise<Buffer>,
  names: string,
): Promise<string | undefined> {
  const given = [source.text, source.file, source.stdin || undefined].filter(
    (value) => value !== undefined,
  );
  if (given.length > 1) {
    throw new FabricError(`more than one of ${names} was given`, {
      code: "CLI_USAGE",
      retryable: "no",
      hint: "Give the text in one way only.",
    });
  }
  if (source.text !== undefined) return source.text;
  if (source.file !== undefined) return decode(await readBytes(source.file), source.file);
  return source.stdin ? decode(await stdin(), "the standard input") : undefined;
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, more than ${MAX_BYTES}`);
    return await readFile(path);
  } catch (cause) {
    throw new FabricError(`${path} can't be read: ${(cause as Error).message}`, {
      code: "INPUT_FILE",
      retryable: "no",
      hint: "Nothing was written. Name a readable text file of at most 32 MiB.",
      cause,
    });
  }
}

function decode(bytes: Buffer, from: string): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw notText(`${from} is not UTF-8`, cause);
  }
  if (text.includes("\u0000")) throw notText(`${from} contains NUL characters`);
  return text;
}

function notText(what: string, cause?: unknown): FabricError {
  return new FabricError(what, {
    code: "INPUT_TEXT",
    retryable: "no",
    hint: "Nothing was written. Attach what is no text to the card in the browser.",
    cause,
  });
}
