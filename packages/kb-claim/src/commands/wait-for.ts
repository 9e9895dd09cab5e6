// Follows a submitted task to its end and fetches the answer.
import { findResult, type Status } from "@agap/kb-client";
import type { Door } from "../door/door.ts";
import { readTask, type TaskReading } from "../door/read-task.ts";
import { EXIT } from "../exit-codes.ts";
import type { TaskName } from "../input/task-id.ts";
import { type Answer, done, refuse } from "../output/answer.ts";
import { printable } from "../output/printable.ts";
import { duration } from "../output/times.ts";
import { statusOf } from "./why.ts";

/** Short tasks are seen at once, and a long one costs a request every five seconds. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;

export interface Waiting {
  name: TaskName;
  task: { id: number; ref: string; queue: string; url: string };
  created: boolean;
  /** Printed before the answer. */
  lines: readonly string[];
}

export async function waitFor(door: Door, waiting: Waiting, timeoutMs: number): Promise<Answer> {
  const { clock } = door;
  const started = clock.monotonic();
  const { task, created } = waiting;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const reading = await readTask(door, waiting.name);
    const { status, reason } = statusOf(reading, reading.ctx.client.serverNow());
    if (status === "done" || status === "verified") return answered(door, waiting, reading, status);
    const ended = endedBadly(status);
    if (ended !== null) {
      return refuse(
        EXIT.refused,
        ended,
        `${task.ref} ended ${status}: ${reason}`,
        `Read the card: ${task.url}`,
        { task, status },
      );
    }
    const left = timeoutMs - (clock.monotonic() - started);
    if (left <= 0) {
      return refuse(
        EXIT.parked,
        "TASK_UNFINISHED",
        `${task.ref} is not finished after ${duration(timeoutMs)}: ${status}, ${reason}`,
        `It goes on without you. kb-claim why ${task.ref} says how it stands.`,
        { task, status, created },
      );
    }
    await clock.sleep(Math.min(pause, left), door.signal);
  }
}

function endedBadly(status: Status): string | null {
  switch (status) {
    case "failed":
      return "TASK_DEAD_LETTER";
    case "canceled":
    case "rejected":
      return "TASK_CANCELED";
    default:
      return null;
  }
}

async function answered(
  door: Door,
  waiting: Waiting,
  reading: TaskReading,
  status: Status,
): Promise<Answer> {
  const { log, ctx, task } = reading;
  const finish = log.slots.findLast((slot) => slot.kind === "d");
  const claim = log.slots.find((slot) => slot.kind === "c" && slot.n + 1 === finish?.n);
  const result = claim
    ? await findResult(ctx.client, task.id, { epoch: claim.n, nonce: claim.nonce }, door.signal)
    : null;
  const { task: facts, created, lines } = waiting;
  const text = result ?? "(done by a person on the board: there is no result file)";
  return done({ task: facts, created, status, result }, [
    ...lines,
    "--- result ---",
    printable(text),
    "--- end of result ---",
  ]);
}
