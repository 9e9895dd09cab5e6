// Columns and swimlanes of the in-memory board.
import { needRole } from "../board.ts";
import { method, type Methods, num, REQUIRED, str } from "../method.ts";
import { projectOf } from "./task-rows.ts";

export const layoutMethods: Methods = {
  getColumns: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    return call.board.columnsOf(projectOf(args)).map((column) => ({ ...column }));
  }),
  addColumn: method(
    { project_id: REQUIRED, title: REQUIRED, task_limit: 0, description: "" },
    (call, args) => {
      needRole(call, projectOf(args), "project-manager");
      const columns = call.board.columnsOf(projectOf(args));
      const title = str(args["title"]);
      const taken = columns.some((column) => column.title.toLowerCase() === title.toLowerCase());
      if (taken || !call.board.projects.get(projectOf(args))) return false;
      return call.board.columns.insert({
        title,
        position: (columns.at(-1)?.position ?? 0) + 1,
        project_id: projectOf(args),
        task_limit: num(args["task_limit"]),
        description: str(args["description"]),
      }).id;
    },
  ),
  removeColumn: method({ column_id: REQUIRED }, (call, args) => {
    const column = call.board.columns.get(num(args["column_id"]));
    needRole(call, column?.project_id, "project-manager");
    const holds = call.board.tasks.find((task) => task.column_id === column?.id) !== undefined;
    return column && !holds ? call.board.columns.remove(column.id) : false;
  }),
  getActiveSwimlanes: method({ project_id: REQUIRED }, (call, args) => {
    needRole(call, projectOf(args), "project-viewer");
    return call.board.swimlanesOf(projectOf(args)).map((lane) => ({ ...lane }));
  }),
};
