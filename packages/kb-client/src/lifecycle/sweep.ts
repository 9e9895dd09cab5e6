// One sweep over a queue: expires dead leases, repairs projections, records what people did, promotes what is due,
// explains what nobody will take. Every worker can do it, any number at once, and none is needed for healthy tasks.
import { type FabricError, isFabricError } from "../errors.ts";
import type { TaskId } from "../ids.ts";
import {
  type LogKey,
  logKey,
  next,
  readLogs,
  shardProjects,
  taskIdOf,
  type TaskLog,
} from "../ledger/index.ts";
import { cardRecord, GESTURES, type Metadata, stateOf, waitOf } from "../projection/index.ts";
import { type Queue, roleOf, TAGS } from "../queue/index.ts";
import {
  getTagsByProject,
  getTaskMetadata,
  searchTasks,
  type Tag,
  type Task,
} from "../rpc/index.ts";
import { admit } from "./admit.ts";
import { append } from "./append.ts";
import { applyGesture } from "./apply-gesture.ts";
import { askForScore } from "./ask-for-score.ts";
import { beatNow, type FabricContext } from "./context.ts";
import { explain, isFresh, whyNot } from "./explain.ts";
import { readCards, whereIs } from "./read-cards.ts";
import { readTimed } from "./reaper.ts";
import { reconcileCard } from "./reconcile-card.ts";
import type { SweepMemory } from "./sweep-memory.ts";

/** Quiet cards (done, parked, taken, given back) looked at per sweep, in rotation. */
const WINDOW = 200;
/** Every so many sweeps the cards that changed lately are looked at, whatever their column. */
const SLOW_ROUND = 4;
/** After so many sweeps other queues' cards are looked for again: one may have been moved here and out of sight. */
const STRANGER_ROUNDS = 40;
/** A card counts as gone after it was not found this often, one sweep apart. */
const MISSES = 2;

/** The writer of a slot shows it within this; until then nobody else does it for them. */
const SETTLE_MS = 5000;

/** Every further card would fail the same way. */
const AWAY = ["KB_UNREACHABLE", "KB_CONNECTION_LOST", "KB_TIMEOUT", "KB_UNAUTHORIZED"];

export interface SweepOptions {
  /** Claims of this very process: its lease keeper minds them. */
  own?: ReadonlySet<TaskId>;
  /** Milliseconds that a slot's own writer has to show it on the card; 5000. */
  settleMs?: number;
  signal?: AbortSignal;
}

/** Two HTTP requests when everything agrees. */
export async function sweep(
  ctx: FabricContext,
  queue: Queue,
  memory: SweepMemory,
  options: SweepOptions = {},
): Promise<void> {
  const { signal } = options;
  const slow = memory.round % SLOW_ROUND === 0;
  if (memory.round % STRANGER_ROUNDS === 0) memory.strangers.clear();
  memory.round += 1;
  const read = await readTimed(ctx, () => readBoard(ctx, queue, slow, signal));
  const { rows, blocked, recent, logs } = read.value;
  const open = [...rows, ...recent];
  const quiet = await readQuiet(ctx, queue, memory, { rows: open, logs }, signal);
  const cards = [...open, ...quiet];
  for (const card of cards) {
    memory.mine.add(logKey(card));
    memory.strangers.delete(logKey(card));
  }

  const claims = new Set<LogKey>();
  const expired = new Set<LogKey>();
  for (const card of cards) {
    const log = logs.get(logKey(card));
    if (log?.head?.kind !== "c") continue;
    claims.add(log.key);
    if (options.own?.has(card.id)) continue;
    if (!memory.reaper.hasExpired(log.head, queue.rules.leaseMs, read)) continue;
    const after = await expire(ctx, queue, card, log, signal);
    if (!after) continue;
    logs.set(log.key, after);
    expired.add(log.key);
  }
  memory.reaper.keepOnly(claims);

  const now = Math.floor(ctx.client.serverNow() / 1000);
  const unsure = cards.filter((card) => memory.needsJudging(card, logs.get(logKey(card)), now));
  const ids = unsure.map((card) => card.id);
  const freshCards = await readCards(ctx, ids, signal);
  const faults: FabricError[] = [];
  for (const card of unsure) {
    const fresh = freshCards.get(card.id);
    if (fresh === undefined) continue;
    const log = logs.get(logKey(card));
    const settleMs = log && expired.has(log.key) ? 0 : (options.settleMs ?? SETTLE_MS);
    try {
      await judge(ctx, queue, memory, { ...fresh, log, blocked, settleMs }, signal);
    } catch (error) {
      // One card that can't be mended must not keep the sweep from those behind it; a board that is away does.
      if (!isFabricError(error) || signal?.aborted || AWAY.includes(error.code)) throw error;
      faults.push(error);
    }
  }
  if (faults[0]) throw faults[0];
}

interface BoardReading {
  rows: Task[];
  blocked: ReadonlySet<TaskId>;
  /** Open cards that were made, edited, dragged or reopened lately; read in the slow rounds only. */
  recent: Task[];
  logs: Map<LogKey, TaskLog>;
}

async function readBoard(
  ctx: FabricContext,
  queue: Queue,
  slow: boolean,
  signal: AbortSignal | undefined,
): Promise<BoardReading> {
  const { ready, wip } = queue.columns;
  const yesterday = new Date(ctx.client.serverNow() - 86_400_000).toISOString().slice(0, 10);
  const searches = [
    `status:open column:${ready.id} column:${wip.id}`,
    `status:open column:${ready.id} tag:${TAGS.blocked}`,
    ...(slow ? [`status:open modified:>=${yesterday}`] : []),
  ];
  const replies = await ctx.client.batch(
    [
      ...searches.map((query) => searchTasks(queue.project, query)),
      ...shardProjects(ctx.ledger).map((shard) => getTagsByProject(shard)),
    ],
    { purpose: "sweep", signal },
  );
  const values = replies.map((reply) => {
    if (!reply.ok) throw reply.error;
    return reply.value;
  });
  const [rows = [], blocked = [], recent = []] = values.slice(0, searches.length) as Task[][];
  const tags = values.slice(searches.length).flat() as Tag[];
  const logs = readLogs(tags);
  const shown = new Set(rows.map((row) => row.id));
  return {
    rows,
    blocked: new Set(blocked.map((row) => row.id)),
    recent: slow ? recent.filter((card) => !shown.has(card.id)) : [],
    logs,
  };
}

/** Cards that no column search of this sweep shows: running claims first, then a window of the quiet ones. */
async function readQuiet(
  ctx: FabricContext,
  queue: Queue,
  memory: SweepMemory,
  seen: { rows: readonly Task[]; logs: Map<LogKey, TaskLog> },
  signal: AbortSignal | undefined,
): Promise<Task[]> {
  const shown = new Set(seen.rows.map((row) => logKey(row)));
  const unseen = [...seen.logs.values()].filter((log) => !shown.has(log.key));
  const candidates = unseen.filter((log) => !memory.strangers.has(log.key));
  const urgent = candidates.filter((log) => log.head?.kind === "c");
  const quiet = candidates.filter((log) => log.head !== null && "pfdhxruo".includes(log.head.kind));
  const from = memory.cursor < quiet.length ? memory.cursor : 0;
  const window = quiet.slice(from, from + WINDOW);
  memory.cursor = from + WINDOW;
  const wanted = [...urgent, ...window];
  if (wanted.length === 0) return [];
  const query = wanted.map((log) => `id:${taskIdOf(log.key)}`).join(" ");
  const found = await ctx.client.call(searchTasks(queue.project, query), {
    purpose: "sweep",
    signal,
  });
  const byKey = new Map(found.map((card) => [logKey(card), card]));
  for (const log of wanted) {
    if (byKey.has(log.key)) memory.missing.delete(log.key);
    else await notFound(ctx, queue, memory, log, signal);
  }
  return found.filter((card) => seen.logs.has(logKey(card)));
}

/** A card of this queue that its project does not show: in another project, out of reach, or deleted. */
async function notFound(
  ctx: FabricContext,
  queue: Queue,
  memory: SweepMemory,
  log: TaskLog,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!memory.mine.has(log.key)) {
    memory.strangers.add(log.key);
    return;
  }
  const misses = (memory.missing.get(log.key) ?? 0) + 1;
  memory.missing.set(log.key, misses);
  if (misses < MISSES) return;
  memory.missing.delete(log.key);
  memory.mine.delete(log.key);
  const where = await whereIs(ctx, log.key, signal);
  const rows = GESTURES[stateOf(log.head?.kind)];
  if (where.place === "elsewhere") {
    const { task } = where;
    const metadata = await ctx.client.call(getTaskMetadata(task.id), { purpose: "sweep", signal });
    const record = cardRecord(metadata);
    // Another queue has taken it over since: what its log says now happened there.
    if (record?.n === log.head?.n && record?.columnId === task.columnId) return;
    await applyGesture(ctx, queue, { task, log, place: "elsewhere", row: rows.elsewhere }, signal);
  } else {
    // Out of reach is not deleted: what runs is given back, nothing is canceled.
    const writes = where.place === "deleted" ? rows.deleted.writes : rows.elsewhere.writes;
    const task = { id: taskIdOf(log.key), dateCreation: where.dateCreation };
    await applyGesture(
      ctx,
      queue,
      { task: task as Task, log, place: "deleted", row: { writes } },
      signal,
    );
    ctx.emit("task.gone", { task: task.id, queue: queue.name, place: where.place });
  }
}

async function expire(
  ctx: FabricContext,
  queue: Queue,
  card: Task,
  log: TaskLog,
  signal: AbortSignal | undefined,
): Promise<TaskLog | null> {
  if (log.head === null) return null;
  const planned = next(log, {
    type: "expire",
    observed: log.head,
    agent: ctx.me.agent,
    beat: beatNow(ctx),
    maxAttempts: queue.rules.maxAttempts,
  });
  if (!planned.ok) return null;
  const appended = await append(ctx, card, planned.slot, { purpose: "sweep", signal });
  if (appended.outcome === "lost") return null;
  const { slot } = appended;
  const fields = { task: card.id, queue: queue.name, epoch: log.head.n, by: log.head.agent };
  ctx.emit(slot.kind === "k" ? "task.dead_letter" : "lease.expired", fields);
  return { ...log, slots: [...log.slots, slot], head: slot };
}

interface Judging {
  task: Task;
  metadata: Metadata;
  log: TaskLog | undefined;
  blocked: ReadonlySet<TaskId>;
  settleMs: number;
}

async function judge(
  ctx: FabricContext,
  queue: Queue,
  memory: SweepMemory,
  judging: Judging,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { task: card, log, metadata, blocked, settleMs } = judging;
  if (log?.head) {
    const shownUpTo = cardRecord(metadata)?.n ?? 0;
    // The log was read before the card: somebody has gone on since.
    if (shownUpTo > log.head.n) return;
    const written = log.head.beat * 1000;
    if (shownUpTo < log.head.n && written + settleMs > ctx.client.serverNow()) return;
    const outcome = await reconcileCard(ctx, queue, { task: card, log, metadata }, "sweep", signal);
    if (outcome.outcome !== "agrees") return;
  }
  if (await askForScore(ctx, queue, { card, log }, signal)) return;
  if (isAdmitted(queue, card, log)) {
    await admit(ctx, queue, card, signal);
    return;
  }
  const why = whyNot(queue, card, log, blocked);
  if (why !== null) await explain(ctx, queue, { task: card, metadata, why }, signal);
  const wait = log?.head ? waitOf(metadata, log.head.n) : null;
  memory.remember(card, log, wait !== null && "until" in wait ? wait.until : null);
}

function isAdmitted(queue: Queue, card: Task, log: TaskLog | undefined): boolean {
  return (
    queue.rules.intake.includes("backlog") &&
    card.isActive &&
    card.ownerId === null &&
    !log?.head &&
    isFresh(card) &&
    roleOf(queue, card.columnId) === "backlog"
  );
}
