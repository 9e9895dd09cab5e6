// why: the derived status of a task, and each rule that decides whether a worker may take it.
import { attempts, roleOf, status, type StatusReading, waitOf } from "@agap/kb-client";
import { Command } from "commander";
import { cardUrl, type Door } from "../door/door.ts";
import { readTask, type TaskReading } from "../door/read-task.ts";
import { parseTaskName } from "../input/task-id.ts";
import { type Answer, done } from "../output/answer.ts";
import { printable } from "../output/printable.ts";
import { duration } from "../output/times.ts";
import type { Act } from "./act.ts";
import { taskData, taskLine } from "./describe-task.ts";
import { openDependencies, rulesFor } from "./rules.ts";

/** One request. */
export async function why(door: Door, input: { task: string }): Promise<Answer> {
  const reading = await readTask(door, parseTaskName(input.task));
  const { ctx, queue, task, log } = reading;
  const now = ctx.client.serverNow();
  const derived = statusOf(reading, now);
  const rules = rulesFor(reading, now);
  const blocking = rules.find((rule) => !rule.ok);
  const { head } = log;
  const data = {
    task: taskData(door, queue.name, task),
    status: derived.status,
    reason: derived.reason,
    blockedBy: blocking?.rule ?? null,
    rules,
    attempts: { used: attempts(log), most: queue.rules.maxAttempts },
    claim: head?.kind === "c" ? { by: head.agent, epoch: head.n } : null,
  };
  const beat =
    head?.kind === "c"
      ? [
          `last renewed ${duration(now - head.beat * 1000)} ago; a lease lasts ${duration(queue.rules.leaseMs)}`,
        ]
      : [];
  return done(data, [
    ...(blocking && derived.status !== "done"
      ? [`Not claimable: ${printable(blocking.says)}.`]
      : []),
    taskLine(queue.name, task),
    `${derived.status}: ${printable(derived.reason)}`,
    ...beat,
    `attempts: ${attempts(log)} of ${queue.rules.maxAttempts}`,
    ...rules.map((rule) => `  ${rule.ok ? "yes" : "NO "}  ${rule.rule}: ${printable(rule.says)}`),
    cardUrl(door, task.id),
  ]);
}

/** The one derivation of a status, fed from a reading of the board. */
export function statusOf(reading: TaskReading, nowMs: number): StatusReading {
  const { ctx, task, queue, tags, log, metadata } = reading;
  const { head } = log;
  const agent = head?.kind === "c" ? ctx.agents.userOf(head.agent) : undefined;
  const owned = task.ownerId === agent ? "agent" : "person";
  return status({
    card: {
      isActive: task.isActive,
      owner: task.ownerId === null ? "nobody" : owned,
      score: task.score,
    },
    column: roleOf(queue, task.columnId),
    tags,
    head,
    wait: head ? waitOf(metadata, head.n) : null,
    requireScore: queue.rules.requireScore,
    openDependencies: openDependencies(reading),
    queueParked: null,
    now: Math.floor(nowMs / 1000),
  });
}

export function command(act: Act): Command {
  return new Command("why")
    .description("Say how a task stands and which rule keeps workers from taking it")
    .argument("<task>", "42, #42, local#42 or the card's address")
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExamples:\n  kb-claim why 42\n  kb-claim why local#42 --json")
    .action((task: string, options: { json?: true }) =>
      act("why", options, (door) => why(door, { task })),
    );
}
