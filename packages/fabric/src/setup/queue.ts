// Makes a queue on a board, or binds an existing project as one. Needs the application token.
import {
  addColumn,
  assertBound,
  BINDING_TAG,
  type Column,
  createProject,
  createTag,
  encodeBinding,
  FabricError,
  getColumns,
  getTagsByProject,
  type KanboardClient,
  type LedgerBinding,
  type ProjectId,
  TAGS,
} from "@agap/kb-client";
import type { BoardConfig } from "../config/board-config.ts";

type QueueEntry = BoardConfig["queues"][string];

export interface QueueSetUp {
  entry: QueueEntry;
  created: boolean;
}

export interface QueuePlan {
  name: string;
  /** An existing project to bind; a new one is created without it. */
  project?: ProjectId;
  /** Columns of an existing project, confirmed by its owner; by position where left out. */
  columns?: QueueEntry["columns"];
}

/** The four columns that Kanboard gives every new project, whatever language their titles are in. */
export function mapByPosition(columns: readonly Column[]): QueueEntry["columns"] | null {
  const [backlog, ready, wip, done, deadLetter] = [...columns].sort(
    (a, b) => a.position - b.position,
  );
  if (!backlog || !ready || !wip || !done) return null;
  const ids = { backlog: backlog.id, ready: ready.id, wip: wip.id, done: done.id };
  return deadLetter ? { ...ids, deadLetter: deadLetter.id } : ids;
}

/** @throws FabricError `QUEUE_COLUMNS`, `QUEUE_NOT_CREATED`, `LEDGER_FOREIGN` */
export async function setUpQueue(
  client: KanboardClient,
  ledger: LedgerBinding,
  plan: QueuePlan,
  signal?: AbortSignal,
): Promise<QueueSetUp> {
  const options = { purpose: "setup", signal } as const;
  const existing = plan.project;
  const project =
    existing ?? (await client.call(createProject({ name: queueTitle(plan.name) }), options));
  if (project === null) throw notCreated(plan.name);
  const columns = plan.columns ?? mapByPosition(await client.call(getColumns(project), options));
  if (!columns) {
    throw new FabricError(`project ${project} has fewer than four columns`, {
      code: "QUEUE_COLUMNS",
      retryable: "no",
      hint: "A queue needs Backlog, Ready, Work in progress and Done, in this order, whatever they are called.",
    });
  }
  if (existing === undefined && columns.deadLetter === undefined) {
    const added = await client.call(addColumn(project, "Dead letter"), options);
    if (added !== null) columns.deadLetter = added;
  }
  // Created up front: of a tag that several new cards bring along at once, some lose it.
  await client.batch(
    Object.values(TAGS).map((tag) => createTag(project, tag, "grey")),
    options,
  );
  await client.call(createTag(project, BINDING_TAG, encodeBinding(ledger)), options);
  const tags = await client.call(getTagsByProject(project), options);
  assertBound(ledger, tags, `project ${project}`);
  return { entry: { project, columns }, created: existing === undefined };
}

export function queueTitle(name: string): string {
  return `Queue: ${name}`;
}

function notCreated(name: string): FabricError {
  return new FabricError(`Kanboard would not create a project for the queue ${name}`, {
    code: "QUEUE_NOT_CREATED",
    retryable: "no",
    hint: "Check that the token is the application token (Settings > API).",
  });
}
