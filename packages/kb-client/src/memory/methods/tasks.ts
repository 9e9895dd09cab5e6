// Cards of the in-memory board: read, create, change, close, remove.
import { type Call, callerId, needRole, record, touchProject } from "../board.ts";
import { dueDate } from "../due-date.ts";
import { phpError } from "../faults.ts";
import { type Args, method, type Methods, num, REQUIRED, str } from "../method.ts";
import type { TaskRow } from "../rows.ts";
import { search } from "../search.ts";
import { saveTags } from "./tags.ts";
import { isInteger, projectOf, removeTaskWithAll, taskApi, taskSearch } from "./task-rows.ts";

const MAX_TITLE = 65_535;
const MAX_REFERENCE = 191;

function createTask(call: Call, args: Args): unknown {
  const { board, now } = call;
  const projectId = num(args["project_id"]);
  needRole(call, projectId, "project-member");
  const owner = num(args["owner_id"]);
  const creator = num(args["creator_id"]);
  if (owner !== 0 && !board.isAssignable(projectId, owner)) return false;
  if (creator !== 0 && !board.isAssignable(projectId, creator)) return false;
  if (!Array.isArray(args["tags"])) return phpError();
  const due = dueDate(call, args["date_due"]);
  if (str(args["title"]) === "" || due === null || !validFields(args)) return false;
  const column = num(args["column_id"]) || (board.columnsOf(projectId)[0]?.id ?? 0);
  const swimlane = num(args["swimlane_id"]) || (board.swimlanesOf(projectId)[0]?.id ?? 0);
  // Foreign keys: the column, the swimlane and the project must exist, not that they belong together.
  const known = board.columns.get(column) && board.swimlanes.get(swimlane);
  if (!known || !board.projects.get(projectId)) return 0;
  const title = str(args["title"]);
  const task = board.tasks.insert({
    title: title === "0" ? "Untitled" : title,
    description: str(args["description"]),
    date_creation: now,
    color_id: str(args["color_id"]) || "yellow",
    project_id: projectId,
    column_id: column,
    owner_id: owner,
    position: board.openIn(projectId, column, swimlane).length + 1,
    is_active: 1,
    date_completed: null,
    score: num(args["score"]),
    date_due: due,
    category_id: 0,
    creator_id: creator || callerId(call),
    date_modification: now,
    reference: str(args["reference"]),
    swimlane_id: swimlane,
    date_moved: now,
    recurrence_status: num(args["recurrence_status"]),
    priority: num(args["priority"]),
  });
  saveTags(call, projectId, task.id, args["tags"].map(str));
  record(call, "task.create", task);
  touchProject(call, projectId);
  return task.id;
}

function validFields(args: Args): boolean {
  const numbers = ["project_id", "column_id", "owner_id", "creator_id", "score", "priority"];
  const lengths =
    Array.from(str(args["title"])).length <= MAX_TITLE &&
    Array.from(str(args["reference"])).length <= MAX_REFERENCE;
  return lengths && numbers.every((name) => isInteger(args[name]));
}

function updateTask(call: Call, args: Args): unknown {
  const { board, now } = call;
  const task = board.tasks.get(num(args["id"]));
  needRole(call, task?.project_id, "project-member");
  if (!task) return false;
  const owner = args["owner_id"];
  if (owner !== null && num(owner) !== 0 && !board.isAssignable(task.project_id, num(owner))) {
    return false;
  }
  if (args["tags"] !== null && !Array.isArray(args["tags"])) return phpError();
  const due = args["date_due"] === null ? task.date_due : dueDate(call, args["date_due"]);
  if (due === null || !validFields(args)) return false;
  if (Array.isArray(args["tags"])) {
    saveTags(call, task.project_id, task.id, args["tags"].map(str));
  }
  const before = { ...task };
  task.title = args["title"] === null ? task.title : str(args["title"]);
  task.description = args["description"] === null ? task.description : str(args["description"]);
  task.color_id = args["color_id"] === null ? task.color_id : str(args["color_id"]);
  task.owner_id = owner === null ? task.owner_id : num(owner);
  task.score = args["score"] === null ? task.score : num(args["score"]);
  task.priority = args["priority"] === null ? task.priority : num(args["priority"]);
  task.reference = args["reference"] === null ? task.reference : str(args["reference"]);
  task.date_due = due;
  recordChange(call, before, task);
  task.date_modification = now;
  return true;
}

/** Only the owner changed: another event than any other change. */
function recordChange(call: Call, before: TaskRow, after: TaskRow): void {
  const keys = Object.keys(before) as (keyof TaskRow)[];
  const changed = keys.filter((key) => before[key] !== after[key]);
  if (changed.length === 0) return;
  const onlyOwner = changed.length === 1 && changed[0] === "owner_id";
  record(call, onlyOwner ? "task.assignee_change" : "task.update", after);
  touchProject(call, after.project_id);
}

function setOpen(call: Call, args: Args, open: boolean): boolean {
  const task = call.board.tasks.get(num(args["task_id"]));
  needRole(call, task?.project_id, "project-member");
  if (!task) return false;
  task.is_active = open ? 1 : 0;
  task.date_completed = open ? 0 : call.now;
  task.date_modification = call.now;
  record(call, open ? "task.open" : "task.close", task);
  touchProject(call, task.project_id);
  return true;
}

export const taskMethods: Methods = {
  getTask: method({ task_id: REQUIRED }, (call, args) => {
    const task = call.board.tasks.get(num(args["task_id"]));
    needRole(call, task?.project_id, "project-viewer");
    return task ? taskApi(task) : null;
  }),
  getTaskByReference: method({ project_id: REQUIRED, reference: REQUIRED }, (call, args) => {
    needRole(call, num(args["project_id"]), "project-viewer");
    const found = call.board.tasks.find(
      (task) =>
        task.project_id === num(args["project_id"]) && task.reference === str(args["reference"]),
    );
    return found ? taskApi(found) : null;
  }),
  getAllTasks: method({ project_id: REQUIRED, status_id: 1 }, (call, args) => {
    const projectId = projectOf(args);
    needRole(call, projectId, "project-viewer");
    return call.board.tasks
      .where((task) => task.project_id === projectId && task.is_active === num(args["status_id"]))
      .map(taskApi);
  }),
  searchTasks: method({ project_id: REQUIRED, query: REQUIRED }, (call, args) => {
    const projectId = projectOf(args);
    needRole(call, projectId, "project-viewer");
    return search(call, projectId, str(args["query"])).map((task) => taskSearch(call.board, task));
  }),
  createTask: method(
    {
      title: REQUIRED,
      project_id: REQUIRED,
      color_id: "",
      column_id: 0,
      owner_id: 0,
      creator_id: 0,
      date_due: "",
      description: "",
      category_id: 0,
      score: 0,
      swimlane_id: null,
      priority: 0,
      recurrence_status: 0,
      reference: "",
      tags: [],
    },
    createTask,
  ),
  updateTask: method(
    {
      id: REQUIRED,
      title: null,
      color_id: null,
      owner_id: null,
      date_due: null,
      description: null,
      category_id: null,
      score: null,
      priority: null,
      reference: null,
      tags: null,
    },
    updateTask,
  ),
  openTask: method({ task_id: REQUIRED }, (call, args) => setOpen(call, args, true)),
  closeTask: method({ task_id: REQUIRED }, (call, args) => setOpen(call, args, false)),
  removeTask: method({ task_id: REQUIRED }, (call, args) => {
    const task = call.board.tasks.get(num(args["task_id"]));
    needRole(call, task?.project_id, "project-member");
    return task ? removeTaskWithAll(call.board, task.id) : false;
  }),
};
