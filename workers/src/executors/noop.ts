// Does nothing and answers at once: measures the queue itself.
import type { Executor } from "../executor.ts";

export const noop: Executor = {
  run: async () => ({ kind: "done", result: "nothing to do" }),
};
