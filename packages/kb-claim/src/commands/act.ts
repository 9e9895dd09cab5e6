// How a declared command comes to run: the door is opened, the work done, the answer printed, the exit code set.
import type { Door } from "../door/door.ts";
import type { Answer } from "../output/answer.ts";

interface GlobalOptions {
  json?: true;
}

/** Runs `work` behind an opened door; the one place that turns faults into answers. */
export type Act = (
  verb: string,
  options: GlobalOptions,
  work: (door: Door, input: Inputs) => Promise<Answer>,
) => Promise<void>;

/** What a verb may take from around the command line. */
interface Inputs {
  stdin(): Promise<Buffer>;
}
