import assert from "node:assert/strict";
import { test } from "node:test";
import { replyError } from "./reply-error.ts";

const write = { method: "updateTask", kind: "write" } as const;

test("errors inside a reply are told apart by what they mean for the write", () => {
  const cases: [number, string, string][] = [
    [
      0,
      "SQL Error[HY000]: SQLSTATE[HY000]: General error: 5 database is locked",
      "KB_LOCKED ambiguous",
    ],
    [
      0,
      "SQL Error[40001]: SQLSTATE[40001]: Serialization failure: 1213 Deadlock found",
      "KB_DEADLOCK ambiguous",
    ],
    [0, "SQL Error[40P01]: SQLSTATE[40P01]: Deadlock detected: 7 ERROR", "KB_DEADLOCK ambiguous"],
    [0, "SQL Error[22001]: SQLSTATE[22001]: String data, right truncated: 7", "KB_SQL_ERROR no"],
    [
      0,
      "SQL Error[HY000]: SQLSTATE[HY000]: General error: 2006 gone away",
      "KB_SQL_ERROR ambiguous",
    ],
    [-32_601, "Method not found", "KB_UNKNOWN_METHOD no"],
    [-32_602, "Invalid params", "KB_BAD_PARAMS no"],
    [-32_600, "Invalid Request", "KB_UNEXPECTED_REPLY no"],
    [0, "something of a plugin", "KB_UNEXPECTED_REPLY ambiguous"],
  ];
  for (const [code, message, expected] of cases) {
    const error = replyError(write, { code, message });
    assert.equal(`${error.code} ${error.retryable}`, expected, message);
    assert.ok(error.hint);
    assert.equal(error.details["method"], "updateTask");
  }
});
