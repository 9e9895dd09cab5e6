// A person's inbox: a project of their own with the columns in which they are asked and in which they decide.
import {
  addColumn,
  createProject,
  FabricError,
  getColumns,
  type KanboardClient,
  type ProjectId,
  removeColumn,
  type UserId,
} from "@agap/kb-client";
import type { BoardConfig } from "../config/board-config.ts";
import { addMember } from "./ledger.ts";

const COLUMNS = ["Waiting on me", "Work in progress", "Approved", "Rejected", "Done"];

type InboxEntry = BoardConfig["inboxes"][string];

/**
 * Members are that person and nobody else here; the relay account of a pipeline is added with the pipeline.
 * @param existing the project of an earlier, interrupted set-up
 */
export async function setUpInbox(
  client: KanboardClient,
  person: { name: string; userId: UserId },
  existing?: ProjectId,
  signal?: AbortSignal,
): Promise<InboxEntry> {
  const options = { purpose: "setup", signal } as const;
  const title = `inbox-${person.name}`;
  const project = existing ?? (await client.call(createProject({ name: title }), options));
  if (project === null) throw notCreated(title);
  await addMember(client, project, person.userId, signal);
  const before = await client.call(getColumns(project), options);
  for (const column of COLUMNS) {
    if (before.some((candidate) => candidate.title === column)) continue;
    await client.call(addColumn(project, column), options);
  }
  for (const column of before) {
    if (!COLUMNS.includes(column.title)) await client.call(removeColumn(column.id), options);
  }
  const columns = await client.call(getColumns(project), options);
  const waiting = columns.find((column) => column.title === COLUMNS[0]);
  if (!waiting) throw notCreated(title);
  return { project, column: waiting.id };
}

function notCreated(title: string): FabricError {
  return new FabricError(`Kanboard would not create the project ${title}`, {
    code: "INBOX_NOT_CREATED",
    retryable: "no",
    hint: "Check that the token is the application token (Settings > API).",
  });
}
