// How a task is shown: the line that names it, and its facts for programs.
import type { Task } from "@agap/kb-client";
import { cardUrl, type Door, taskRef } from "../door/door.ts";
import { printable, printableLine } from "../output/printable.ts";
import { localTime } from "../output/times.ts";

/** The model tier that a complexity score asks for. */
function tierOf(score: number): "haiku" | "sonnet" | "opus" {
  if (score === 0) return "sonnet";
  if (score <= 2) return "haiku";
  return score <= 5 ? "sonnet" : "opus";
}

export function taskData(door: Door, queue: string, task: Task): Record<string, unknown> {
  return {
    id: task.id,
    ref: taskRef(queue, task.id),
    queue,
    title: task.title,
    priority: task.priority,
    score: task.score,
    tier: tierOf(task.score),
    due: task.dateDue === null ? null : new Date(task.dateDue * 1000).toISOString(),
    url: cardUrl(door, task.id),
  };
}

/** `local#42  p1  score 3 (sonnet)  due …  Title`. */
export function taskLine(queue: string, task: Task): string {
  const score = task.score === 0 ? "no score" : `score ${task.score}`;
  const due = task.dateDue === null ? "" : `  due ${localTime(task.dateDue * 1000)}`;
  const { title } = task;
  return `${taskRef(queue, task.id)}  p${task.priority}  ${score} (${tierOf(task.score)})${due}  ${printableLine(title)}`;
}

/** Verbatim between two rulers; only what would steer a terminal is made visible. */
export function specLines(task: Task): string[] {
  const spec = task.description === "" ? "(the card has no description)" : task.description;
  return ["--- spec ---", printable(spec), "--- end of spec ---"];
}
