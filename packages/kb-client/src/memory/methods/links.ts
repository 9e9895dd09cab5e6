// Links between cards of the in-memory board, with the catalogue of a fresh installation.
import { type Call, needRole } from "../board.ts";
import { type Args, method, type Methods, num, REQUIRED } from "../method.ts";

/** Label and the link of the other direction, by id. */
const CATALOGUE: Readonly<Record<number, readonly [string, number]>> = {
  1: ["relates to", 1],
  2: ["blocks", 3],
  3: ["is blocked by", 2],
  4: ["duplicates", 5],
  5: ["is duplicated by", 4],
  6: ["is a child of", 7],
  7: ["is a parent of", 6],
  8: ["targets milestone", 9],
  9: ["is a milestone of", 8],
  10: ["fixes", 11],
  11: ["is fixed by", 10],
};

function createTaskLink(call: Call, args: Args): unknown {
  const { board } = call;
  const task = board.tasks.get(num(args["task_id"]));
  const opposite = board.tasks.get(num(args["opposite_task_id"]));
  needRole(call, task?.project_id, "project-member");
  const linkId = num(args["link_id"]);
  const kind = CATALOGUE[linkId];
  if (!task || !opposite || !kind) return false;
  if (call.caller.kind === "user" && !board.isMember(opposite.project_id, call.caller.user.id)) {
    return false;
  }
  const taken = board.links.find(
    (link) =>
      link.link_id === linkId && link.task_id === task.id && link.opposite_task_id === opposite.id,
  );
  if (taken) return false;
  const made = board.links.insert({
    link_id: linkId,
    task_id: task.id,
    opposite_task_id: opposite.id,
  });
  board.links.insert({ link_id: kind[1], task_id: opposite.id, opposite_task_id: task.id });
  return made.id;
}

export const linkMethods: Methods = {
  createTaskLink: method(
    { task_id: REQUIRED, opposite_task_id: REQUIRED, link_id: REQUIRED },
    createTaskLink,
  ),
  getAllTaskLinks: method({ task_id: REQUIRED }, (call, args) => {
    const { board } = call;
    needRole(call, board.tasks.get(num(args["task_id"]))?.project_id, "project-viewer");
    return board.links
      .where((link) => link.task_id === num(args["task_id"]))
      .flatMap((link) => {
        const opposite = board.tasks.get(link.opposite_task_id);
        if (!opposite) return [];
        const { title, is_active, project_id } = opposite;
        const label = CATALOGUE[link.link_id]?.[0] ?? "";
        return [{ id: link.id, task_id: opposite.id, label, title, is_active, project_id }];
      });
  }),
};
