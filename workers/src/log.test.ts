// What a worker says of itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FabricError } from "@agap/kb-client";
import { describeError, makeLog, sinkOf } from "./log.ts";

function collect(level = "debug") {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line));
  return { lines, log: makeLog({ service: "worker", queue: "local" }, level, { write }) };
}

test("an event is one line with its name, level and bindings", () => {
  const { lines, log } = collect();
  sinkOf(log)("task.claimed", { task: 7, epoch: 1 });
  const [{ time, ...line } = { time: "" }] = lines;
  assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual(line, {
    level: "info",
    service: "worker",
    queue: "local",
    event: "task.claimed",
    task: 7,
    epoch: 1,
  });
});

test("what a person must act on is an error, what heals a warning, what changes nothing is left out", () => {
  const { lines, log } = collect("info");
  const emit = sinkOf(log);
  emit("task.dead_letter", {});
  emit("queue.parked", {});
  emit("lease.renewed", {});
  assert.deepEqual(
    lines.map(({ level, event }) => [level, event]),
    [
      ["error", "task.dead_letter"],
      ["warn", "queue.parked"],
    ],
  );
});

test("secrets are left out, also one level down", () => {
  const { lines, log } = collect();
  log.info({ token: "s3cret", door: { url: "u", key: "s3cret" } });
  assert.doesNotMatch(JSON.stringify(lines), /s3cret/);
});

test("a fault is told with its code and hint, a bug with its stack", () => {
  const fault = new FabricError("no", { code: "KB_UNREACHABLE", retryable: "yes", hint: "look" });
  assert.deepEqual(describeError(fault), {
    code: "KB_UNREACHABLE",
    error: "no",
    hint: "look",
    cause: undefined,
  });
  assert.match(String(describeError(new TypeError("oops"))["error"]), /oops\n\s+at /);
});
