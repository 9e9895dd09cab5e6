// What a hostile card may do to a terminal: nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as check, property, string } from "fast-check";
import { printable, printableJson, printableLine } from "./printable.ts";

test("escape sequences, bells and direction overrides are shown, not obeyed", () => {
  assert.equal(printable("a\u001b[31mred\u0007"), "a<U+001B>[31mred<U+0007>");
  assert.equal(printable("\u202Eevil\u2066"), "<U+202E>evil<U+2066>");
  assert.equal(printable("overwritten\rline"), "overwritten<U+000D>line");
  assert.equal(printable("\u009b2J\u{e0041}"), "<U+009B>2J<U+E0041>");
});

test("ordinary text of any language, emoji, tabs and both kinds of line ends stay as they are", () => {
  const text = "Grüße 👩‍🚀\tשלום 日本\nnext\r\nlast\n";
  assert.equal(printable(text), text);
});

test("a title stays on its line", () => {
  assert.equal(printableLine("one\ntwo\tthree\r\n"), "one two three ");
});

test("JSON keeps the value exactly and carries no steering character", () => {
  check(
    property(string({ unit: "binary" }), (text) => {
      const written = printableJson({ text });
      assert.deepEqual(JSON.parse(written), { text });
      assert.equal(printable(written), written);
    }),
  );
});
