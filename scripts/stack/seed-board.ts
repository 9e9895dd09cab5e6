// Ledger, queue, inbox and accounts on a board: each step finds what an earlier run has made.
import {
  addMember,
  type BoardConfig,
  type QueuePlan,
  queueTitle,
  setUpAgent,
  setUpInbox,
  setUpLedger,
  setUpQueue,
} from "@agap/fabric";
import {
  BINDING_TAG,
  getAllProjects,
  getTagsByProject,
  getUserByName,
  type KanboardClient,
  type LedgerBinding,
  parseBinding,
  type ProjectId,
  type Random,
  type UserId,
} from "@agap/kb-client";
import { readBoard, writeBoard } from "./board-file.ts";
import type { Layout } from "./layout.ts";
import { EXIT, Stop } from "./stop.ts";

export const QUEUE = "local";
const PASSWORD_LENGTH = 30;

export interface SeedPlan {
  url: string;
  owner: string;
  /** Accounts of programs. */
  agents: readonly string[];
  /** A project of the board's owner to bind as the queue. */
  queue?: Pick<QueuePlan, "project" | "columns">;
}

export async function seedBoard(
  layout: Layout,
  client: KanboardClient,
  plan: SeedPlan,
  random: Random,
): Promise<BoardConfig> {
  const options = { purpose: "setup" } as const;
  const { binding } = await setUpLedger(client, random);
  const old = readBoard(layout);
  if (old && old.ledger.uuid !== binding.uuid) {
    throw new Stop(EXIT.board, `${layout.boardFile} was made for another board`, [
      `It names ledger ${old.ledger.uuid}, the board at ${plan.url} has ledger ${binding.uuid}.`,
      "Use another FABRIC_HOME for another board.",
    ]);
  }
  const ledger = { uuid: binding.uuid, firstProject: binding.firstProject, shards: binding.shards };
  const board: BoardConfig = { queues: {}, inboxes: {}, ...old, url: plan.url, ledger };
  await writeBoard(layout, board);

  const project =
    plan.queue?.project ??
    (board.queues[QUEUE]?.project as ProjectId | undefined) ??
    (await findQueue(client, binding));
  const columns = plan.queue?.columns ?? board.queues[QUEUE]?.columns;
  const queue = await setUpQueue(client, binding, {
    name: QUEUE,
    ...(project && { project }),
    ...(columns && { columns }),
  });
  board.queues[QUEUE] = queue.entry;
  await writeBoard(layout, board);

  const owner = await client.call(getUserByName(plan.owner), options);
  if (owner) {
    board.inboxes[plan.owner] = await inboxOf(client, board, {
      name: plan.owner,
      userId: owner.id,
    });
    await writeBoard(layout, board);
    await addMember(client, queue.entry.project as ProjectId, owner.id);
    // Not of the ledger: whoever is a member there counts as an agent, and a person's hand on a card is a command.
  }
  const queues = [queue.entry.project as ProjectId];
  for (const username of new Set(plan.agents)) {
    // Nobody logs in with it: it is not kept.
    const password = random.base36(PASSWORD_LENGTH);
    await setUpAgent(client, { username, password, queues }, binding);
  }
  return board;
}

async function inboxOf(
  client: KanboardClient,
  board: BoardConfig,
  person: { name: string; userId: UserId },
): Promise<BoardConfig["inboxes"][string]> {
  const known = board.inboxes[person.name]?.project as ProjectId | undefined;
  const existing = known ?? (await findProject(client, `inbox-${person.name}`))[0];
  return setUpInbox(client, person, existing);
}

/** A project that carries this ledger's binding: made by a run that was interrupted, or by another machine's. */
async function findQueue(
  client: KanboardClient,
  binding: LedgerBinding,
): Promise<ProjectId | undefined> {
  for (const id of await findProject(client, queueTitle(QUEUE))) {
    const tags = await client.call(getTagsByProject(id), { purpose: "setup" });
    const tag = tags.find((candidate) => candidate.name === BINDING_TAG);
    // Interrupted before it was bound: still empty and ours by its title.
    if (!tag || parseBinding(tag.color)?.uuid === binding.uuid) return id;
  }
  return undefined;
}

async function findProject(client: KanboardClient, title: string): Promise<ProjectId[]> {
  const projects = await client.call(getAllProjects(), { purpose: "setup" });
  return projects
    .filter((project) => project.name === title && project.isActive)
    .map((project) => project.id);
}
