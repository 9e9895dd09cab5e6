// What a sweeping process remembers between sweeps, so that cards which agree with their log cost nothing again.
import type { TaskId } from "../ids.ts";
import type { LogKey, TaskLog } from "../ledger/index.ts";
import type { Task } from "../rpc/index.ts";
import { Reaper } from "./reaper.ts";

export interface Judged {
  stamp: string;
  /** Epoch seconds at which it must be looked at again; null when only a change matters. */
  dueAt: number | null;
}

export class SweepMemory {
  readonly reaper = new Reaper();
  readonly judged = new Map<TaskId, Judged>();
  /** Logs known to belong to this queue, by having seen their card in it. */
  readonly mine = new Set<LogKey>();
  /** Logs whose card was not found in this queue: another queue's, or unreadable. */
  readonly strangers = new Set<LogKey>();
  /** How many sweeps in a row a card of this queue was not found. */
  readonly missing = new Map<LogKey, number>();
  /** Where the rotating look at quiet cards goes on. */
  cursor = 0;
  round = 0;

  needsJudging(task: Task, log: TaskLog | undefined, serverSeconds: number): boolean {
    const judged = this.judged.get(task.id);
    if (judged?.stamp !== cardStamp(task, log)) return true;
    return judged.dueAt !== null && judged.dueAt <= serverSeconds;
  }

  remember(task: Task, log: TaskLog | undefined, dueAt: number | null): void {
    this.judged.set(task.id, { stamp: cardStamp(task, log), dueAt });
  }
}

function cardStamp(task: Task, log: TaskLog | undefined): string {
  const { projectId, columnId, dateMoved, ownerId, isActive, score } = task;
  const head = log?.head ? `${log.head.n}${log.head.kind}` : "0";
  return [head, projectId, columnId, dateMoved, ownerId ?? 0, isActive, score].join(".");
}
