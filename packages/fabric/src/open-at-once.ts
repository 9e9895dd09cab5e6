// Opens the fabric and one queue with a single HTTP request, together with whatever else the caller wants to read: a
// command of the shell lives for one or two requests, so that asking step by step would be most of its time.
import {
  AgentDirectory,
  assertBound,
  type FabricContext,
  getActiveSwimlanes,
  getColumns,
  getMe,
  getProjectUsers,
  getTagsByProject,
  isFabricError,
  KanboardClient,
  type Outcome,
  type Procedure,
  type ProjectId,
  type Queue,
  type QueueRules,
  type ResultOf,
  toAgentSlug,
} from "@agap/kb-client";
import { bindingOf } from "./config/binding-of.ts";
import {
  assembleQueue,
  openFabric,
  type OpenOptions,
  openQueue,
  queueEntry,
} from "./open-fabric.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a tuple of procedures with different results
type AnyProcedure = Procedure<any>;

type Outcomes<P extends readonly AnyProcedure[]> = { [K in keyof P]: Outcome<ResultOf<P[K]>> };

export interface OpenedAtOnce<P extends readonly AnyProcedure[]> {
  ctx: FabricContext;
  queue: Queue;
  also: Outcomes<P>;
}

/**
 * @param also reads that are answered in the same request
 * @throws FabricError as `openFabric` and `openQueue`; `KB_FORBIDDEN` when only `also` is not permitted
 */
export async function openAtOnce<const P extends readonly AnyProcedure[]>(
  options: OpenOptions,
  wanted: { queue: string; rules: QueueRules },
  also: P,
): Promise<OpenedAtOnce<P>> {
  const { transport, board, clock, random, emit, signal } = options;
  const entry = queueEntry(board, wanted.queue);
  const ledger = bindingOf(board);
  const project = entry.project as ProjectId;
  const client = new KanboardClient(transport, { clock, random });
  const read = [
    getMe(),
    getTagsByProject(ledger.firstProject),
    getProjectUsers(ledger.firstProject),
    getTagsByProject(project),
    getColumns(project),
    getActiveSwimlanes(project),
  ] as const;
  let outcomes: readonly unknown[];
  try {
    outcomes = await client.batch([...read, ...also], { purpose: "read", signal });
  } catch (error) {
    if (!isFabricError(error, "KB_FORBIDDEN")) throw error;
    return stepByStep(options, wanted, also);
  }
  const own = outcomes.slice(0, read.length) as unknown as Outcomes<typeof read>;
  const [me, ledgerTags, members, tags, columns, swimlanes] = own;
  assertBound(ledger, valueOf(ledgerTags), `ledger project ${ledger.firstProject}`);
  const agents = new AgentDirectory(client, ledger.firstProject);
  agents.learn(valueOf(members));
  const { id, username } = valueOf(me);
  const ctx: FabricContext = {
    client,
    ledger,
    clock,
    random,
    me: { userId: id, agent: toAgentSlug(username) },
    agents,
    emit,
  };
  const { queue: name, rules } = wanted;
  const queue = assembleQueue(ledger, entry, {
    name,
    rules,
    tags: valueOf(tags),
    columns: valueOf(columns),
    swimlanes: valueOf(swimlanes),
  });
  return { ctx, queue, also: outcomes.slice(read.length) as unknown as Outcomes<P> };
}

function valueOf<R>(outcome: Outcome<R>): R {
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/** One forbidden element answers 403 for the whole request; asked for one by one, the reason is told exactly. */
async function stepByStep<const P extends readonly AnyProcedure[]>(
  options: OpenOptions,
  wanted: { queue: string; rules: QueueRules },
  also: P,
): Promise<OpenedAtOnce<P>> {
  const { board, signal } = options;
  const ctx = await openFabric(options);
  const queue = await openQueue(ctx, board, wanted.queue, wanted.rules, signal);
  const answers = await ctx.client.batch(also, { purpose: "read", signal });
  return { ctx, queue, also: answers };
}
