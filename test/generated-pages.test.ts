// Pages that are made from code are the ones that the code makes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gesturesPage } from "../scripts/docs/gestures-page.ts";

const page = (name: string): string =>
  readFileSync(new URL(`../docs/${name}`, import.meta.url), "utf8");

test("docs/gestures.md shows the table that the code runs by", () => {
  assert.equal(page("gestures.md"), gesturesPage());
});
