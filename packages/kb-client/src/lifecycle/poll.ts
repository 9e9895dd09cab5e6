// Looks for cards that may be claimed: one HTTP request, whose size depends on the length of Ready alone.
import type { ColumnId, ProjectId, TaskId } from "../ids.ts";
import type { Random } from "../ports.ts";
import { type Queue, type QueueRules, TAGS } from "../queue/index.ts";
import { type Procedure, searchTasks, type Task, type TaskRow } from "../rpc/index.ts";
import { elapsed, type FabricContext, type Instant, instant } from "./context.ts";

/** How many equally ranked cards a worker chooses among: workers that poll together then rarely meet. */
const CHOICE = 5;

/** Claimable cards, best first; a card that was lost lately and has not changed since is left out. */
export async function poll(
  ctx: FabricContext,
  queue: Queue,
  skips: SkipList,
  signal?: AbortSignal,
): Promise<Task[]> {
  const { project, columns, rules } = queue;
  const [rows, blocked] = await ctx.client.batch(readyReads(project, columns.ready.id), {
    purpose: "poll",
    signal,
  });
  if (!rows.ok) throw rows.error;
  if (!blocked.ok) throw blocked.error;
  const open = eligible(rows.value, blocked.value, rules).filter((row) => !skips.has(row));
  return rank(open, rules.takeOrder, ctx.random);
}

/** Unassigned cards in Ready, and those of them tagged `blocked`: rows carry no tags, so these are asked for apart. */
export function readyReads(
  project: ProjectId,
  ready: ColumnId,
): readonly [Procedure<TaskRow[]>, Procedure<TaskRow[]>] {
  const query = `status:open column:${ready} assignee:nobody`;
  return [searchTasks(project, query), searchTasks(project, `${query} tag:${TAGS.blocked}`)];
}

export function eligible<T extends Task>(
  rows: readonly T[],
  blocked: readonly Task[],
  rules: Pick<QueueRules, "requireScore">,
): T[] {
  const out = new Set(blocked.map((row) => row.id));
  return rows.filter((row) => !out.has(row.id) && !(rules.requireScore && row.score === 0));
}

/** By take-order of the priority, then board position, then id; the first few of a rank are shuffled. */
export function rank(cards: readonly Task[], takeOrder: readonly number[], random: Random): Task[] {
  const order = (card: Task): number => {
    const place = takeOrder.indexOf(card.priority);
    return place === -1 ? takeOrder.length : place;
  };
  const ranked = [...cards].sort(
    (a, b) => order(a) - order(b) || a.position - b.position || a.id - b.id,
  );
  const best = ranked[0];
  if (best === undefined) return ranked;
  const equals = ranked.findIndex((card) => order(card) !== order(best));
  const choice = Math.min(equals === -1 ? ranked.length : equals, CHOICE);
  for (let i = choice - 1; i > 0; i -= 1) {
    const j = Math.floor(random.next() * (i + 1));
    const [a, b] = [ranked[i], ranked[j]];
    if (a && b) [ranked[i], ranked[j]] = [b, a];
  }
  return ranked;
}

/** Cards whose claim was lost: not tried again until their row changes or one lease has passed. */
export class SkipList {
  readonly #ctx: Pick<FabricContext, "clock">;
  readonly #leaseMs: number;
  readonly #skipped = new Map<TaskId, { stamp: string; since: Instant }>();

  constructor(ctx: Pick<FabricContext, "clock">, leaseMs: number) {
    this.#ctx = ctx;
    this.#leaseMs = leaseMs;
  }

  add(card: Task): void {
    this.#skipped.set(card.id, { stamp: rowStamp(card), since: instant(this.#ctx.clock) });
  }

  has(card: Task): boolean {
    const skip = this.#skipped.get(card.id);
    if (!skip) return false;
    const over = elapsed(this.#ctx.clock, skip.since) >= this.#leaseMs;
    if (over || skip.stamp !== rowStamp(card)) this.#skipped.delete(card.id);
    return this.#skipped.has(card.id);
  }
}

/** Changes with everything that can make a card claimable again. */
export function rowStamp(card: Task): string {
  return `${card.dateCreation}.${card.columnId}.${card.dateMoved}.${card.dateModification}.${card.ownerId ?? 0}`;
}
