import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { escapeMentions } from "./text.ts";

/** Kanboard's own way to find mentions. */
function mentioned(text: string): string[] {
  return Array.from(text.matchAll(/@([^\s,!:?]+)/g), ([, name = ""]) => name.replace(/\.+$/, ""));
}

test("a mention is broken by a character that nobody sees", () => {
  assert.equal(escapeMentions("hi @ada, @bob.m!"), "hi @\u2060ada, @\u2060bob.m!");
});

test("addresses, packages and quoted names stay as they are", () => {
  for (const text of [
    "mail a@example.org",
    "git@host.test:repo",
    "npm i @scope/name",
    "`@ada`",
    "(@ada)",
    "a @ b",
  ]) {
    assert.equal(escapeMentions(text), text);
  }
});

test("no user name is left that Kanboard would find", () => {
  const name = fc.stringMatching(/^[\p{L}\p{N}_+-]{1,8}$/u);
  const between = fc.constantFrom(" ", "\n", ", ", "!", "@", "*", "", ". ", "\t(");
  const text = fc.array(fc.tuple(between, fc.constant("@"), name), { maxLength: 6 });
  fc.assert(
    fc.property(text, name, (parts, user) => {
      const written = parts.flat().join("");
      assert.ok(!mentioned(escapeMentions(written)).includes(user));
    }),
  );
});

test("only word joiners are added", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const plain = text.replaceAll("\u2060", "");
      assert.equal(escapeMentions(plain).replaceAll("\u2060", ""), plain);
    }),
  );
});
