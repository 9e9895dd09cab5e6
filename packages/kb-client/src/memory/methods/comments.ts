// Comments of the in-memory board.
import { type Call, callerId, needRole, record } from "../board.ts";
import { type Args, method, type Methods, num, REQUIRED, str } from "../method.ts";
import type { CommentRow } from "../rows.ts";

function found(call: Call, id: unknown): CommentRow | undefined {
  const comment = call.board.comments.get(num(id));
  const task = comment && call.board.tasks.get(comment.task_id);
  needRole(call, task?.project_id, "project-member");
  return comment;
}

function isForeign(call: Call, comment: CommentRow | undefined): boolean {
  return call.caller.kind === "user" && comment?.user_id !== callerId(call);
}

function note(call: Call, event: string, taskId: number): void {
  const task = call.board.tasks.get(taskId);
  if (task) record(call, event, task);
}

function createComment(call: Call, args: Args): unknown {
  const { board, now } = call;
  const task = board.tasks.get(num(args["task_id"]));
  const userId = num(args["user_id"]);
  needRole(call, task?.project_id, "project-member");
  if (call.caller.kind === "user" && userId !== callerId(call)) return false;
  if (str(args["content"]) === "" || !task) return false;
  const comment = board.comments.insert({
    date_creation: now,
    date_modification: now,
    task_id: task.id,
    user_id: userId,
    comment: str(args["content"]),
    visibility: "app-user",
  });
  note(call, "comment.create", task.id);
  return comment.id;
}

export const commentMethods: Methods = {
  createComment: method(
    {
      task_id: REQUIRED,
      user_id: REQUIRED,
      content: REQUIRED,
      reference: "",
      visibility: "app-user",
    },
    createComment,
  ),
  getAllComments: method({ task_id: REQUIRED }, (call, args) => {
    const { board } = call;
    const task = board.tasks.get(num(args["task_id"]));
    needRole(call, task?.project_id, "project-viewer");
    return board.comments
      .where((comment) => comment.task_id === num(args["task_id"]))
      .sort((a, b) => a.date_creation - b.date_creation || a.id - b.id)
      .map((comment) => {
        const { username = null, name = null } = board.users.get(comment.user_id) ?? {};
        return { ...comment, username, name };
      });
  }),
  updateComment: method({ id: REQUIRED, content: REQUIRED }, (call, args) => {
    const comment = found(call, args["id"]);
    if (isForeign(call, comment) || str(args["content"]) === "") return false;
    // An update of no row is a success for Kanboard.
    if (!comment) return true;
    comment.comment = str(args["content"]);
    comment.date_modification = call.now;
    note(call, "comment.update", comment.task_id);
    return true;
  }),
  removeComment: method({ comment_id: REQUIRED }, (call, args) => {
    const comment = found(call, args["comment_id"]);
    if (!comment || isForeign(call, comment)) return false;
    note(call, "comment.delete", comment.task_id);
    return call.board.comments.remove(comment.id);
  }),
};
