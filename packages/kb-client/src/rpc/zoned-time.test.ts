import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { kanboardDate, readDate } from "./dates.ts";
import { epochOf, formatWall, parseWall, wallOf } from "./zoned-time.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
];
const minute = fc.integer({ min: 0, max: 66_000_000 }).map((minutes) => minutes * 60);
const zone = fc.constantFrom(...ZONES);

test("a moment that is written and read in one zone is itself, but for an hour that comes twice", () => {
  fc.assert(
    fc.property(minute, zone, (epoch, name) => {
      const back = epochOf(wallOf(epoch, name), name);
      assert.deepEqual(wallOf(back, name), wallOf(epoch, name));
      assert.ok(Math.abs(back - epoch) <= 3600, `${back - epoch} s apart`);
    }),
  );
});

test("the text form is read back as it was written", () => {
  fc.assert(
    fc.property(minute, zone, (epoch, name) => {
      const text = kanboardDate(epoch, name);
      assert.match(text, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/);
      assert.equal(formatWall(parseWall(text) ?? wallOf(0, "UTC")), text);
    }),
  );
});

test("one moment has the wall time of each zone", () => {
  const epoch = readDate("2026-12-01 10:00", "Europe/Berlin");
  assert.equal(epoch, Date.UTC(2026, 11, 1, 9) / 1000);
  assert.equal(kanboardDate(epoch, "Asia/Kathmandu"), "2026-12-01 14:45");
  assert.equal(kanboardDate(epoch, "Pacific/Kiritimati"), "2026-12-01 23:00");
});

test("a time that names its offset needs no zone", () => {
  const expected = Date.UTC(2026, 11, 1, 9) / 1000;
  for (const text of [
    "2026-12-01T09:00Z",
    "2026-12-01T10:00:59.5+01:00",
    "2026-12-01 04:00-0500",
  ]) {
    assert.equal(readDate(text), expected, text);
  }
});

test("what is no date, no day or no zone is refused", () => {
  const bad: [string, string?][] = [
    ["tomorrow", "UTC"],
    ["2026-02-30 10:00", "UTC"],
    ["2026-12-01 24:00", "UTC"],
    ["2026-12-01 10:60", "UTC"],
    ["2026-12-01", "UTC"],
    ["1796098953", "UTC"],
    ["2026-12-01 10:00"],
    ["2026-12-01 10:00", "Europe/Nowhere"],
  ];
  for (const [text, name] of bad)
    assert.throws(() => readDate(text, name), { code: "KB_BAD_DATE" }, text);
});
