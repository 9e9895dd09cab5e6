// A stand-in for the thread of an executor that goes wrong in the way its settings say. For tests.
import { systemClock } from "@agap/kb-client";
import { serveThread } from "./thread-side.ts";

export type Misbehaviour = "none" | "count" | "spin" | "grow" | "throw" | "exit" | "wait" | "deaf";

let tasks = 0;

/** With "count" the title of each task says what to do. */
serveThread(async (settings, input, signal) => {
  tasks += 1;
  switch ((settings === "count" ? input.title : settings) as Misbehaviour) {
    case "count":
      return { kind: "done", result: `${tasks}` };
    case "none":
      return { kind: "done", result: input.title };
    case "spin":
      for (;;);
    case "grow": {
      const kept: unknown[] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, (_, i) => ({ i })));
    }
    case "throw":
      throw new Error("out of paper");
    case "exit":
      return process.exit(3);
    case "wait":
      await systemClock.sleep(600_000, signal);
      return { kind: "failed", reason: "it waited to the end" };
    case "deaf":
      await systemClock.sleep(600_000);
      return { kind: "failed", reason: "it waited to the end" };
  }
});
