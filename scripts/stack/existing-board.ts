// A Kanboard that somebody else runs: looked at first, and refused where the fabric and it would work against each other.
import { type BoardConfig, findLedger, mapByPosition, type QueuePlan } from "@agap/fabric";
import {
  getActions,
  getAllUsers,
  getColumns,
  getProjectById,
  getProjectUsers,
  getVersion,
  isFabricError,
  type KanboardClient,
  type ProjectId,
  rawCall,
} from "@agap/kb-client";
import { z } from "zod";
import { confirm } from "./ask.ts";
import type { Options } from "./options.ts";
import type { Progress } from "./progress.ts";
import { QUEUE } from "./seed-board.ts";
import { EXIT, Stop } from "./stop.ts";

/** Older ones lack calls that the protocol needs. */
const OLDEST = [1, 2, 30];
const STANDARD_ROLES = new Set(["project-manager", "project-member", "project-viewer"]);
const options = { purpose: "setup" } as const;

/** @returns which project becomes the queue, confirmed by the person; nothing has been written by then */
export async function checkExistingBoard(
  client: KanboardClient,
  wish: Options,
  progress: Progress,
  known: BoardConfig | null,
): Promise<Pick<QueuePlan, "project" | "columns"> | undefined> {
  const url = wish.kanboard?.url ?? "";
  const version = await reachable(client, url);
  progress.say(`  Kanboard ${version} at ${url}`);
  const ledger = await findLedger(client);
  // Set up by an earlier run: nothing is left to create.
  if (known && ledger && known.ledger.uuid === ledger.uuid && known.queues[QUEUE]) return undefined;
  const project = wish.kanboard?.project as ProjectId | undefined;
  const columns =
    project === undefined ? undefined : await checkProject(client, project, wish.force, progress);
  const plan = [
    ledger
      ? `join the ledger ${ledger.uuid.slice(0, 8)} that is there`
      : "create 4 disabled projects that keep the ledger",
    project === undefined
      ? `create a project for the queue "${QUEUE}", or use the one that carries this ledger's tag`
      : `bind project ${project} as the queue "${QUEUE}" and add six tags to it`,
    "create the worker's account and a person's inbox where they are missing",
  ];
  progress.say("  On this board scripts/up will");
  for (const line of plan) progress.say(`    - ${line}`);
  await confirm("Go on?", wish.yes);
  return project === undefined ? undefined : { project, ...(columns && { columns }) };
}

async function reachable(client: KanboardClient, url: string): Promise<string> {
  let version: string;
  try {
    version = await client.call(getVersion(), options);
    await client.call(getAllUsers(), options);
  } catch (cause) {
    const [code, message, hint] = isFabricError(cause)
      ? [cause.code, cause.message, cause.hint ?? ""]
      : ["", String(cause), ""];
    const refused = code === "KB_UNAUTHORIZED" || code === "KB_FORBIDDEN";
    const advice = refused
      ? ["It must be the application token (Settings > API), not a user's."]
      : [hint];
    throw new Stop(
      refused ? EXIT.board : EXIT.unreachable,
      `the Kanboard at ${url} can't be used: ${message}`,
      advice,
      cause,
    );
  }
  const numbers = version
    .replace(/^v/, "")
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  if (!numbers.slice(0, 3).some(Number.isNaN) && compare(numbers, OLDEST) < 0) {
    throw new Stop(EXIT.board, `Kanboard ${version} is too old`, [
      `${OLDEST.join(".")} or newer is needed.`,
    ]);
  }
  return version;
}

/** @returns the columns by position, after they were shown */
async function checkProject(
  client: KanboardClient,
  id: ProjectId,
  force: boolean,
  progress: Progress,
): Promise<QueuePlan["columns"]> {
  const project = await client.call(getProjectById(id), options);
  if (!project)
    throw new Stop(EXIT.board, `the board has no project ${id}`, [
      "The number is in the address of the project's page.",
    ]);
  const against = [
    ...(await client.call(getActions(id), options)).map(
      (action) => `automatic action ${action.name}`,
    ),
    ...(await recurring(client, id)),
    ...(await customRoles(client, id)),
  ];
  for (const line of against)
    progress.say(`    ${force ? "kept by --force" : "in the way"}: ${line}`);
  if (against.length > 0 && !force) {
    throw new Stop(
      EXIT.board,
      `project ${id} "${project.name}" has rules of its own that would move or hide cards`,
      ["Remove them, choose another project, leave --queue-project out, or add --force."],
    );
  }
  const columns = await client.call(getColumns(id), options);
  const mapped = mapByPosition(columns);
  if (!mapped)
    throw new Stop(EXIT.board, `project ${id} "${project.name}" has fewer than four columns`, [
      "A queue needs Backlog, Ready, Work in progress and Done, in this order.",
    ]);
  progress.say(`  Columns of project ${id} "${project.name}", by position:`);
  for (const [role, column] of Object.entries(mapped)) {
    progress.say(
      `    ${role.padEnd(10)} = ${columns.find((candidate) => candidate.id === column)?.title}`,
    );
  }
  return mapped;
}

const recurrence = z.array(
  z.object({ id: z.coerce.number(), recurrence_status: z.coerce.number().default(0) }),
);

async function recurring(client: KanboardClient, id: ProjectId): Promise<string[]> {
  const tasks = recurrence.parse(
    await client.call(rawCall("getAllTasks", { project_id: id, status_id: 1 }, "read"), options),
  );
  const found = tasks.filter((task) => task.recurrence_status === 1);
  return found.slice(0, 3).map((task) => `recurring task #${task.id}`);
}

async function customRoles(client: KanboardClient, id: ProjectId): Promise<string[]> {
  const found: string[] = [];
  for (const user of await client.call(getProjectUsers(id), options)) {
    const call = rawCall("getProjectUserRole", { project_id: id, user_id: user.id }, "read");
    const role = String(await client.call(call, options));
    if (!STANDARD_ROLES.has(role)) found.push(`custom role ${role} of ${user.name}`);
  }
  return found;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < b.length; i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
