// Due dates as they are typed, and those that nobody could meet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFabricError } from "@agap/kb-client";
import { parseSpan } from "./duration.ts";
import { parseDue } from "./due.ts";

const NOW = Date.parse("2026-03-10T12:00:30Z");

test("an ISO time with offset, a local time, a day and a span from now are understood", () => {
  assert.equal(parseDue("2026-03-11T14:00+02:00", NOW), Date.parse("2026-03-11T12:00Z") / 1000);
  assert.equal(parseDue("2026-03-11T14:00:59Z", NOW), Date.parse("2026-03-11T14:00Z") / 1000);
  assert.equal(parseDue("2026-04-01 08:30", NOW), new Date(2026, 3, 1, 8, 30).getTime() / 1000);
  assert.equal(parseDue("2026-04-01", NOW), new Date(2026, 3, 1, 23, 59).getTime() / 1000);
  assert.equal(parseDue("+2h", NOW), Date.parse("2026-03-10T14:00Z") / 1000);
  assert.equal(parseDue("+1.5d", NOW), Date.parse("2026-03-12T00:00Z") / 1000);
});

test("what is no time, what the calendar does not have, and what has passed is refused", () => {
  const bad = [
    "",
    "soon",
    "tomorrow",
    "2026-02-30",
    "2026-13-01",
    "2026-03-11 25:00",
    "2026-03-11 10:61",
    "+h",
    "+5y",
    "2026-03-10T12:00Z",
    "2020-01-01",
    "+0s",
    "+10s",
  ];
  for (const text of bad) {
    assert.throws(
      () => parseDue(text, NOW),
      (error) => isFabricError(error, "INPUT_DUE"),
      text,
    );
  }
});

test("a span is a number with a unit, and longer than nothing", () => {
  assert.equal(parseSpan("90s", "--timeout"), 90_000);
  assert.equal(parseSpan("1.5h", "--timeout"), 5_400_000);
  for (const text of ["", "5", "0s", "-1m", "5 minutes", "1e3s"]) {
    assert.throws(
      () => parseSpan(text, "--timeout"),
      (error) => isFabricError(error, "INPUT_DURATION"),
      text,
    );
  }
});
