// The rules that decide whether a worker may claim a task, each with its own sentence; `why` prints them.
import { isClaimable, KINDS, roleOf, stateOf, TAGS, waitOf } from "@agap/kb-client";
import type { TaskReading } from "../door/read-task.ts";
import { localTime } from "../output/times.ts";

export interface Rule {
  rule: string;
  ok: boolean;
  says: string;
}

/** In the order in which they matter: a later rule is of no interest while an earlier one blocks. */
export function rulesFor(reading: TaskReading, nowMs: number): Rule[] {
  const { task, queue, tags, links, metadata, log } = reading;
  const { head } = log;
  const place = roleOf(queue, task.columnId);
  const columns = Object.values(queue.columns);
  const column =
    columns.find((candidate) => candidate?.id === task.columnId)?.title ?? "another column";
  const ready = queue.columns.ready.title;
  const wait = head ? waitOf(metadata, head.n) : null;
  const until = wait !== null && "until" in wait ? wait.until * 1000 : null;
  const waits = until !== null && until > nowMs && place !== "ready";
  const open = openDependencies(reading);
  return [
    rule("card-open", task.isActive, "the card is open", "the card is closed"),
    rule(
      "ledger-free",
      isClaimable(log),
      head
        ? `the ledger's last entry is “${KINDS[head.kind]}”: free to claim`
        : "never claimed before",
      head
        ? `the ledger says “${KINDS[head.kind]}” by ${head.agent}, epoch ${head.n} (${stateOf(head.kind)})`
        : "",
    ),
    rule(
      "ledger-whole",
      !log.damaged,
      "its log is complete",
      "entries of its log were deleted by hand",
    ),
    rule(
      "retry-time",
      !waits,
      "it waits for no time",
      until === null ? "" : `it waits until ${localTime(until)}`,
    ),
    rule(
      "column",
      place === "ready",
      `it is in ${ready}`,
      `it is in ${column}, workers take from ${ready}`,
    ),
    rule(
      "unassigned",
      task.ownerId === null,
      "nobody is assigned",
      "somebody is assigned; workers take only unassigned cards",
    ),
    rule(
      "not-blocked",
      !tags.includes(TAGS.blocked) && !tags.includes(TAGS.deadLetter),
      "no tag blocks it",
      `it is tagged ${tags.filter((tag) => tag === TAGS.blocked || tag === TAGS.deadLetter).join(", ")}`,
    ),
    rule(
      "score",
      !(queue.rules.requireScore && task.score === 0),
      queue.rules.requireScore ? "it has a score" : "this queue asks for no score",
      "this queue asks for a score",
    ),
    rule(
      "dependencies",
      open.length === 0,
      links.length === 0 ? "it depends on nothing" : "what it depends on is finished",
      `it is blocked by ${open.join(", ")}`,
    ),
  ];
}

/** Linked as "is blocked by" and still open. */
export function openDependencies({ links }: Pick<TaskReading, "links">): string[] {
  return links
    .filter((link) => link.label === "is blocked by" && link.isActive)
    .map((link) => `#${link.taskId}`);
}

function rule(name: string, ok: boolean, yes: string, no: string): Rule {
  return { rule: name, ok, says: ok ? yes : no };
}
