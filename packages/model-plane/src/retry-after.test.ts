// Reset times as they were seen in headers and sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfter } from "./retry-after.ts";

const now = Date.UTC(2026, 7, 27, 0, 0, 0);
const read = (headers: Record<string, string>, message = ""): number | undefined =>
  retryAfter(new Headers(headers), message, now);

test("retry-after is seconds or an HTTP date, LiteLLM's own before the provider's", () => {
  assert.equal(read({ "retry-after": "12" }), 12);
  assert.equal(read({ "retry-after": "Thu, 27 Aug 2026 00:01:30 GMT" }), 90);
  assert.equal(read({ "llm_provider-retry-after": "30" }), 30);
  assert.equal(read({ "retry-after": "5", "llm_provider-retry-after": "30" }), 5);
});

test("LiteLLM's reset_at and its sentence are understood", () => {
  assert.equal(read({ reset_at: "2026-08-27 00:15:18 UTC" }), 918);
  assert.equal(read({}, "No deployments available, Try again in 60 seconds."), 60);
  assert.equal(read({}, "Please try again in 1.2s"), 2);
});

test("a time that has passed, nonsense and nothing say nothing", () => {
  assert.equal(read({ "retry-after": "0" }), undefined);
  assert.equal(read({ "retry-after": "Thu, 27 Aug 2020 00:01:30 GMT" }), undefined);
  assert.equal(read({ "retry-after": "soon" }, "try again later"), undefined);
  assert.equal(read({}), undefined);
});

test("a wait longer than any vendor's window is capped at 35 days", () => {
  assert.equal(read({ "retry-after": "1798761600" }), 35 * 86_400);
});
