// The ways of naming a task: 42, #42, local#42, or the address of its card.
import { FabricError, type TaskId } from "@agap/kb-client";

export interface TaskName {
  id: TaskId;
  /** Only where the name says so; the card must be in that queue then. */
  queue?: string;
}

const NUMBER = /^(?:([a-z0-9][a-z0-9._-]*)?#)?([1-9]\d{0,14})$/;
/** `/task/42`, `/project/3/task/42` and `?controller=TaskViewController&action=show&task_id=42`. */
const PATH = /\/task\/([1-9]\d{0,14})(?:\/|$)/;

/** @throws FabricError `INPUT_TASK_ID` */
export function parseTaskName(text: string): TaskName {
  const plain = NUMBER.exec(text.trim());
  if (plain) {
    const id = Number(plain[2]) as TaskId;
    return plain[1] === undefined ? { id } : { id, queue: plain[1] };
  }
  const fromAddress = addressed(text.trim());
  if (fromAddress !== null) return { id: fromAddress };
  throw new FabricError(`${JSON.stringify(text)} names no task`, {
    code: "INPUT_TASK_ID",
    retryable: "no",
    hint: "Write 42, #42, local#42 or the address of the card.",
  });
}

function addressed(text: string): TaskId | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const id = url.searchParams.get("task_id") ?? PATH.exec(url.pathname)?.[1] ?? "";
  return /^[1-9]\d{0,14}$/.test(id) ? (Number(id) as TaskId) : null;
}
