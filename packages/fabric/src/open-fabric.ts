// Opens the fabric for one account: checks that the board is the one it was set up for, and looks the queue up.
import {
  AgentDirectory,
  assertBound,
  BoardInfo,
  type Clock,
  type Column,
  type EventSink,
  FabricError,
  type FabricContext,
  getMe,
  getTagsByProject,
  KanboardClient,
  type LedgerBinding,
  type ProjectId,
  type Queue,
  type QueueRules,
  type Random,
  type Swimlane,
  type Tag,
  toAgentSlug,
  type Transport,
} from "@agap/kb-client";
import { bindingOf } from "./config/binding-of.ts";
import type { BoardConfig } from "./config/board-config.ts";

export interface OpenOptions {
  transport: Transport;
  board: BoardConfig;
  clock: Clock;
  random: Random;
  emit: EventSink;
  signal?: AbortSignal;
}

/** @throws FabricError `LEDGER_UNBOUND`, `LEDGER_FOREIGN`, `LEDGER_MISSING` */
export async function openFabric(options: OpenOptions): Promise<FabricContext> {
  const { transport, clock, random, emit, signal } = options;
  const client = new KanboardClient(transport, { clock, random });
  const ledger = bindingOf(options.board);
  const me = await client.call(getMe(), { purpose: "read", signal });
  await checkLedger(client, ledger, signal);
  const agents = new AgentDirectory(client, ledger.firstProject);
  await agents.refresh(signal);
  return {
    client,
    ledger,
    clock,
    random,
    me: { userId: me.id, agent: toAgentSlug(me.username) },
    agents,
    emit,
  };
}

async function checkLedger(
  client: KanboardClient,
  ledger: LedgerBinding,
  signal: AbortSignal | undefined,
): Promise<void> {
  const where = `ledger project ${ledger.firstProject}`;
  try {
    const tags = await client.call(getTagsByProject(ledger.firstProject), {
      purpose: "read",
      signal,
    });
    assertBound(ledger, tags, where);
  } catch (cause) {
    if (!(cause instanceof FabricError) || cause.code !== "KB_FORBIDDEN") throw cause;
    throw new FabricError(`${where} is gone, or this account is no member of it`, {
      code: "LEDGER_MISSING",
      retryable: "no",
      hint: "Without its ledger nothing may run. Restore the project from a backup, or add this account to it.",
      cause,
    });
  }
}

/** @throws FabricError `QUEUE_UNKNOWN` naming the known ones */
export function queueEntry(board: BoardConfig, name: string): BoardConfig["queues"][string] {
  const entry = Object.hasOwn(board.queues, name) ? board.queues[name] : undefined;
  if (!entry) {
    const known = Object.keys(board.queues).join(", ");
    throw new FabricError(`there is no queue ${JSON.stringify(name)} on this board`, {
      code: "QUEUE_UNKNOWN",
      retryable: "no",
      hint: known === "" ? "Run scripts/up to make one." : `Known queues: ${known}.`,
    });
  }
  return entry;
}

/** @throws FabricError `QUEUE_UNKNOWN`, `QUEUE_COLUMN_MISSING`, `LEDGER_UNBOUND`, `LEDGER_FOREIGN` */
export async function openQueue(
  ctx: FabricContext,
  board: BoardConfig,
  name: string,
  rules: QueueRules,
  signal?: AbortSignal,
): Promise<Queue> {
  const entry = queueEntry(board, name);
  const project = entry.project as ProjectId;
  const tags = await ctx.client.call(getTagsByProject(project), { purpose: "read", signal });
  const info = new BoardInfo(ctx.client);
  const [columns, swimlanes] = [await info.columns(project), await info.swimlanes(project)];
  return assembleQueue(ctx.ledger, entry, { name, rules, tags, columns, swimlanes });
}

/**
 * Checks what was read of a queue's project and puts it together.
 * @throws FabricError as `openQueue`
 */
export function assembleQueue(
  ledger: LedgerBinding,
  entry: BoardConfig["queues"][string],
  read: {
    name: string;
    rules: QueueRules;
    tags: readonly Tag[];
    columns: readonly Column[];
    swimlanes: readonly Swimlane[];
  },
): Queue {
  const { name, rules, tags, columns, swimlanes } = read;
  const project = entry.project as ProjectId;
  assertBound(ledger, tags, `queue ${name} (project ${project})`);
  const find = (role: string, id: number): Column => {
    const column = columns.find((candidate) => candidate.id === id);
    if (column) return column;
    throw new FabricError(`queue ${name} has lost its ${role} column (id ${id})`, {
      code: "QUEUE_COLUMN_MISSING",
      retryable: "no",
      hint: "Map the queue's columns anew with scripts/up; ids find columns, a new column of the same title is another one.",
    });
  };
  const [swimlane] = swimlanes;
  if (!swimlane) {
    throw new FabricError(`queue ${name} has no active swimlane`, {
      code: "QUEUE_NO_SWIMLANE",
      retryable: "no",
      hint: "Enable a swimlane in the project's settings.",
    });
  }
  const { backlog, ready, wip, done, deadLetter } = entry.columns;
  return {
    name,
    project,
    swimlane: swimlane.id,
    columns: {
      backlog: find("Backlog", backlog),
      ready: find("Ready", ready),
      wip: find("Work in progress", wip),
      done: find("Done", done),
      deadLetter: deadLetter === undefined ? null : find("Dead letter", deadLetter),
    },
    rules,
  };
}
