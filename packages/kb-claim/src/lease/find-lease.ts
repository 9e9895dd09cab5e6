// Finds the lease that a verb acts under. A task whose lease this session does not hold is refused before anything is
// asked of the board.
import type { Door } from "../door/door.ts";
import { EXIT } from "../exit-codes.ts";
import { type Refused, refuse } from "../output/answer.ts";
import { parseTaskName } from "../input/task-id.ts";
import type { LeaseFile } from "./lease-file.ts";

export type FoundLease = { ok: true; lease: LeaseFile } | Refused;

/** @param named as typed; without it the only lease of this session is meant */
export async function findLease(door: Door, named: string | undefined): Promise<FoundLease> {
  const all = await door.leases.all();
  const mine = all.filter((lease) => lease.session === door.leases.session);
  if (named === undefined) {
    const alive = mine.filter((lease) => lease.state !== "lost");
    const [only, ...more] = alive.length > 0 ? alive : mine;
    if (only === undefined) return notHeld("this session holds no task", all);
    if (more.length === 0) return { ok: true, lease: only };
    const names = [only, ...more].map(nameOf).join(", ");
    const what = `this session holds ${more.length + 1} tasks`;
    return refuse(EXIT.usage, "CLI_TASK_NEEDED", what, `Name one of: ${names}.`);
  }
  const name = parseTaskName(named);
  const matches = (lease: LeaseFile): boolean =>
    lease.task.id === name.id && (name.queue === undefined || lease.queue === name.queue);
  const lease = mine.find(matches);
  if (lease) return { ok: true, lease };
  return notHeld(`this session does not hold task ${named}`, all.filter(matches));
}

export function nameOf(lease: Pick<LeaseFile, "queue" | "task">): string {
  return `${lease.queue}#${lease.task.id}`;
}

function notHeld(what: string, elsewhere: readonly LeaseFile[]): Refused {
  const other = elsewhere[0];
  const hint = other
    ? `Another session of this account (${other.session}) holds ${nameOf(other)}. If that is you, set FABRIC_SESSION=${other.session}.`
    : "Nothing was written. kb-claim lease-status lists what this session holds, kb-claim take claims a task.";
  return refuse(EXIT.notYours, "LEASE_NOT_HELD", what, hint);
}
