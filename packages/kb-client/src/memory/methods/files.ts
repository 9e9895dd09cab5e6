// Files of the in-memory board.
import { type Call, callerId, needRole, record } from "../board.ts";
import { fits } from "../faults.ts";
import { type Args, method, type Methods, num, REQUIRED, str } from "../method.ts";
import { projectOf } from "./task-rows.ts";

function createTaskFile(call: Call, args: Args): unknown {
  const { board, now } = call;
  needRole(call, projectOf(args), "project-member");
  const task = board.tasks.get(num(args["task_id"]));
  if (!task || task.project_id !== projectOf(args)) return false;
  const content = Buffer.from(str(args["blob"]), "base64");
  const text = content.toString("utf8");
  // PHP calls "" and "0" empty.
  if (text === "" || text === "0") return false;
  fits(args["filename"], 255);
  const file = board.files.insert({
    name: str(args["filename"]),
    task_id: task.id,
    date: now,
    user_id: callerId(call),
    size: content.length,
    blob: content.toString("base64"),
  });
  record(call, "task.file.create", task);
  return file.id;
}

export const fileMethods: Methods = {
  createTaskFile: method(
    { project_id: REQUIRED, task_id: REQUIRED, filename: REQUIRED, blob: REQUIRED },
    createTaskFile,
  ),
  getAllTaskFiles: method({ task_id: REQUIRED }, (call, args) => {
    const { board } = call;
    needRole(call, board.tasks.get(num(args["task_id"]))?.project_id, "project-viewer");
    return board.files
      .where((file) => file.task_id === num(args["task_id"]))
      .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)) || a.id - b.id)
      .map((file) => {
        const user = board.users.get(file.user_id);
        return {
          ...file,
          blob: undefined,
          username: user?.username ?? null,
          user_name: user?.name ?? null,
        };
      });
  }),
  downloadTaskFile: method({ file_id: REQUIRED }, (call, args) => {
    const file = call.board.files.get(num(args["file_id"]));
    needRole(call, call.board.tasks.get(file?.task_id ?? 0)?.project_id, "project-viewer");
    return file?.blob ?? "";
  }),
  removeTaskFile: method({ file_id: REQUIRED }, (call, args) => {
    const file = call.board.files.get(num(args["file_id"]));
    const task = call.board.tasks.get(file?.task_id ?? 0);
    needRole(call, task?.project_id, "project-member");
    return file ? call.board.files.remove(file.id) : false;
  }),
};
