// Text from a file or the standard input: verbatim, or refused.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isFabricError } from "@agap/kb-client";
import { readText, type TextSource } from "./text-input.ts";

const folder = mkdtempSync(join(tmpdir(), "text-"));
after(() => rmSync(folder, { recursive: true }));

const names = "--note, --file and --stdin";
const nobody = async (): Promise<Buffer> => assert.fail("the standard input was read");
const read = (source: TextSource): Promise<string | undefined> => readText(source, nobody, names);

test("a file and the standard input are taken verbatim", async () => {
  const path = join(folder, "note.md");
  writeFileSync(path, "\uFEFFé 👩‍🚀\r\n\n  two\n");
  assert.equal(await read({ file: path }), "é 👩‍🚀\r\n\n  two\n");
  assert.equal(await readText({ stdin: true }, async () => Buffer.from("in\n"), names), "in\n");
  assert.equal(await read({ text: "as it is" }), "as it is");
  assert.equal(await read({}), undefined);
});

test("what is no text, can't be read or is given twice is refused", async () => {
  const binary = join(folder, "binary");
  writeFileSync(binary, Buffer.from([0x50, 0x00, 0x4b]));
  const latin = join(folder, "latin");
  writeFileSync(latin, Buffer.from([0xe9, 0x20, 0xff]));
  const cases: [TextSource, string][] = [
    [{ file: binary }, "INPUT_TEXT"],
    [{ file: latin }, "INPUT_TEXT"],
    [{ file: folder }, "INPUT_FILE"],
    [{ file: join(folder, "missing") }, "INPUT_FILE"],
    [{ file: binary, text: "both" }, "CLI_USAGE"],
    [{ stdin: true, text: "both" }, "CLI_USAGE"],
  ];
  for (const [source, code] of cases) {
    await assert.rejects(read(source), (error) => isFabricError(error, code), code);
  }
});
