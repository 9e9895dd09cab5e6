// The part of Kanboard's search language that the fabric uses, with its traps: substrings, and silence about what it
// does not know.
import { epochOf, wallOf } from "../rpc/zoned-time.ts";
import { type Call, callerId } from "./board.ts";
import type { TaskRow } from "./rows.ts";

type Filter = (call: Call, task: TaskRow, value: string) => boolean;

const FILTERS: Readonly<Record<string, Filter>> = {
  status: (_, task, value) => {
    if (value === "open" || value === "closed")
      return (task.is_active === 1) === (value === "open");
    return /^\d+$/.test(value) ? task.is_active === Number(value) : true;
  },
  column: ({ board }, task, value) =>
    /^\d+$/.test(value)
      ? task.column_id === Number(value)
      : board.columns.get(task.column_id)?.title === value,
  swimlane: ({ board }, task, value) =>
    like(board.swimlanes.get(task.swimlane_id)?.name ?? "", value),
  tag: ({ board }, task, value) => {
    const tags = board.tagsOf(task.id);
    return value === "none" ? tags.length === 0 : tags.some((tag) => like(tag.name, `%${value}%`));
  },
  assignee: (call, task, value) => {
    if (/^\d+$/.test(value)) return task.owner_id === Number(value);
    if (value === "nobody") return task.owner_id === 0;
    if (value === "anybody") return task.owner_id > 0;
    if (value === "me") return task.owner_id === callerId(call);
    const owner = call.board.users.get(task.owner_id);
    return [owner?.username, owner?.name].some((name) => like(name ?? "", `%${value}%`));
  },
  priority: (_, task, value) => compare(task.priority, value),
  score: (_, task, value) => compare(task.score, value),
  id: (_, task, value) => task.id === Number(value),
  created: (call, task, value) => onDay(call, task.date_creation, value),
  modified: (call, task, value) => onDay(call, task.date_modification, value),
  moved: (call, task, value) => onDay(call, task.date_moved, value),
  completed: (call, task, value) => onDay(call, task.date_completed ?? 0, value),
  reference: (_, task, value) => byReference(task, value),
  ref: (_, task, value) => byReference(task, value),
  title: (_, task, value) => byTitle(task, value),
};

/** Several values of one attribute are alternatives, several attributes must all hold; ordered by id. */
export function search(call: Call, projectId: number, query: string): TaskRow[] {
  const wanted = parse(query);
  return call.board.tasks
    .where(
      (task) =>
        task.project_id === projectId &&
        [...wanted].every(([name, values]) =>
          values.some((value) => FILTERS[name]?.(call, task, value) ?? true),
        ),
    )
    .sort((a, b) => a.id - b.id);
}

const attribute = new RegExp(`^(${Object.keys(FILTERS).join("|")}):`, "i");
const tokens = [
  /^\s+/,
  /^[<=>]{0,2}\d{4}-\d{2}-\d{2}/,
  /^[<=>]{1,2}[\p{L}\p{N}_]+/u,
  /^[<=>]{1,2}".+"/,
  /^".*?"/,
  /^\S+/,
];

/** As Kanboard's lexer does it: what belongs to no known attribute is a search for the title. */
function parse(query: string): Map<string, string[]> {
  const wanted = new Map<string, string[]>();
  let rest = query;
  let name: string | null = null;
  let leftOver = "";
  while (rest !== "") {
    const found = attribute.exec(rest);
    if (found) {
      name = (found[1] ?? "").toLowerCase();
      rest = rest.slice(found[0].length);
      continue;
    }
    const token = tokens.map((pattern) => pattern.exec(rest)?.[0]).find(Boolean) ?? rest;
    rest = rest.slice(token.length);
    const text = token.replaceAll('"', "");
    if (name !== null && token.trim() !== "") wanted.set(name, [...(wanted.get(name) ?? []), text]);
    if (name === null) leftOver += text;
    name = null;
  }
  if (leftOver.trim() !== "") wanted.set("title", [leftOver.trim()]);
  return wanted;
}

function compare(number: number, value: string): boolean {
  const [, operator = "", operand = ""] = /^(<=|>=|<|>)?(.*)$/.exec(value) ?? [];
  const other = Number(operand);
  switch (operator) {
    case "<=":
      return number <= other;
    case ">=":
      return number >= other;
    case "<":
      return number < other;
    case ">":
      return number > other;
    default:
      return number === other;
  }
}

/** Days only: a time of day is cut off. */
function onDay(call: Call, epoch: number, value: string): boolean {
  const [, operator = "", date = ""] = /^(<=|>=|<|>)?(.*)$/.exec(value) ?? [];
  const [year = 0, month = 1, day = 1] = date.slice(0, 10).split("-").map(Number);
  const known = /^\d{4}-\d{2}-\d{2}/.test(date);
  const wall = known
    ? { year, month, day, hour: 0, minute: 0 }
    : { ...wallOf(Number(date), call.zone), hour: 0, minute: 0 };
  const start = epochOf(wall, call.zone);
  switch (operator) {
    case "<=":
      return epoch <= start + 86_399;
    case ">=":
      return epoch >= start;
    case "<":
      return epoch < start;
    case ">":
      return epoch > start + 86_400;
    default:
      return epoch >= start && epoch <= start + 86_399;
  }
}

function byReference(task: TaskRow, value: string): boolean {
  return value === "none"
    ? task.reference === ""
    : like(task.reference, value.replaceAll("*", "%"));
}

function byTitle(task: TaskRow, value: string): boolean {
  const number = /^#?(\d+)$/.exec(value)?.[1];
  return like(task.title, `%${value}%`) || (number !== undefined && task.id === Number(number));
}

/** SQL's LIKE without case: _ and % are wildcards. */
function like(text: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const source = escaped.replaceAll("%", ".*").replaceAll("_", ".");
  return new RegExp(`^${source}$`, "isu").test(text);
}
