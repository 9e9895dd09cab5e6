// Makes the ledger of a board, or joins the one that is there. Needs the application token.
import {
  addProjectUser,
  BINDING_TAG,
  createProject,
  createTag,
  disableProject,
  encodeBinding,
  FabricError,
  getAllTags,
  getProjectById,
  getProjectUsers,
  type KanboardClient,
  type LedgerBinding,
  parseBinding,
  type ProjectId,
  type Random,
  removeProject,
  shardProjects,
  type UserId,
} from "@agap/kb-client";

/** Global tags have project 0; the name is unique there, so only one set-up of a board can win. */
const WHOLE_BOARD = 0 as ProjectId;
const SHARDS = 4;
const TRIES = 5;

export interface LedgerSetUp {
  binding: LedgerBinding;
  created: boolean;
}

/**
 * Two ledgers on one board would be two winners for every task, so the board's own write-once tag decides between
 * two set-ups that run at the same time: the loser removes what it made and joins.
 * @throws FabricError `LEDGER_MISSING` when the tag names projects that are gone
 */
export async function setUpLedger(
  client: KanboardClient,
  random: Random,
  signal?: AbortSignal,
): Promise<LedgerSetUp> {
  const found = await findLedger(client, signal);
  if (found) {
    await assertThere(client, found, signal);
    await finishShards(client, found, signal);
    return { binding: found, created: false };
  }
  const uuid = hex(random);
  const firstProject = await createShards(client, uuid, signal);
  const binding: LedgerBinding = { uuid, firstProject, shards: SHARDS };
  const won = await client.call(createTag(WHOLE_BOARD, BINDING_TAG, encodeBinding(binding)), {
    purpose: "setup",
    signal,
  });
  if (won === null) {
    await removeShards(client, shardProjects(binding), signal);
    return setUpLedger(client, random, signal);
  }
  await finishShards(client, binding, signal);
  return { binding, created: true };
}

/** The ledger that this board is bound to, or null on a board without one. */
export async function findLedger(
  client: KanboardClient,
  signal?: AbortSignal,
): Promise<LedgerBinding | null> {
  const tags = await client.call(getAllTags(), { purpose: "setup", signal });
  const tag = tags.find((candidate) => candidate.name === BINDING_TAG && candidate.projectId === 0);
  return tag ? parseBinding(tag.color) : null;
}

/** Lets an agent write the ledger; idempotent. */
export async function joinLedger(
  client: KanboardClient,
  binding: LedgerBinding,
  user: UserId,
  signal?: AbortSignal,
): Promise<void> {
  for (const project of shardProjects(binding)) await addMember(client, project, user, signal);
}

export async function addMember(
  client: KanboardClient,
  project: ProjectId,
  user: UserId,
  signal?: AbortSignal,
): Promise<void> {
  const members = await client.call(getProjectUsers(project), { purpose: "setup", signal });
  if (members.some((member) => member.id === user)) return;
  await client.call(addProjectUser(project, user, "project-member"), { purpose: "setup", signal });
}

async function assertThere(
  client: KanboardClient,
  binding: LedgerBinding,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const project of shardProjects(binding)) {
    const there = await client.call(getProjectById(project), { purpose: "setup", signal });
    if (there) continue;
    throw new FabricError(`the ledger of this board has lost its project ${project}`, {
      code: "LEDGER_MISSING",
      retryable: "no",
      hint: "Restore the project from a backup. A new ledger would run every open task a second time.",
    });
  }
}

/** Everything after the decision can be repeated, so an interrupted set-up is finished by the next one. */
async function finishShards(
  client: KanboardClient,
  binding: LedgerBinding,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const project of shardProjects(binding)) {
    await client.batch(
      [createTag(project, BINDING_TAG, encodeBinding(binding)), disableProject(project)],
      { purpose: "setup", signal },
    );
  }
}

/** Consecutive ids, because the binding names only the first; another client may create a project in between. */
async function createShards(
  client: KanboardClient,
  uuid: string,
  signal: AbortSignal | undefined,
): Promise<ProjectId> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const ids: ProjectId[] = [];
    for (let shard = 0; shard < SHARDS; shard += 1) {
      const name = `fabric ledger ${uuid.slice(0, 8)} ${shard + 1}/${SHARDS}`;
      const id = await client.call(createProject({ name }), { purpose: "setup", signal });
      if (id === null) break;
      ids.push(id);
    }
    const [first] = ids;
    const consecutive = ids.every((id, i) => first !== undefined && id === first + i);
    if (first !== undefined && consecutive && ids.length === SHARDS) return first;
    await removeShards(client, ids, signal);
  }
  throw new FabricError("Kanboard would not create the ledger's projects", {
    code: "LEDGER_NOT_CREATED",
    retryable: "no",
    hint: "Check that the token is the application token (Settings > API) and that nobody else is creating projects right now.",
  });
}

async function removeShards(
  client: KanboardClient,
  ids: readonly ProjectId[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const id of ids) await client.call(removeProject(id), { purpose: "setup", signal });
}

function hex(random: Random): string {
  return Array.from({ length: 32 }, () => Math.floor(random.next() * 16).toString(16)).join("");
}
