// What people do at the board's pages, through the same code as their API calls.
import type { ColumnId, TaskId, UserId } from "../ids.ts";
import type { UserRow } from "./rows.ts";

type Run = (method: string, params: Readonly<Record<string, unknown>>) => unknown;

export class Person {
  readonly id: UserId;
  readonly username: string;
  readonly #run: Run;

  constructor(user: UserRow, run: Run) {
    this.id = user.id as UserId;
    this.username = user.username;
    this.#run = run;
  }

  /** To the top of the column unless another position is given. */
  drag(taskId: TaskId, columnId: ColumnId, position = 1): void {
    const project = this.#projectOf(taskId);
    this.#must("moveTaskPosition", {
      project_id: project,
      task_id: taskId,
      column_id: columnId,
      position,
      swimlane_id: 0,
    });
  }

  close(taskId: TaskId): void {
    this.#must("closeTask", { task_id: taskId });
  }

  reopen(taskId: TaskId): void {
    this.#must("openTask", { task_id: taskId });
  }

  delete(taskId: TaskId): void {
    this.#must("removeTask", { task_id: taskId });
  }

  edit(taskId: TaskId, fields: { title?: string; description?: string; score?: number }): void {
    this.#must("updateTask", { id: taskId, ...fields });
  }

  /** null takes the owner off. */
  reassign(taskId: TaskId, owner: UserId | null): void {
    this.#must("updateTask", { id: taskId, owner_id: owner ?? 0 });
  }

  /** Replaces the card's tags. */
  tag(taskId: TaskId, tags: readonly string[]): void {
    const project = this.#projectOf(taskId);
    this.#must("setTaskTags", { project_id: project, task_id: taskId, tags: [...tags] });
  }

  comment(taskId: TaskId, text: string): void {
    this.#must("createComment", { task_id: taskId, user_id: this.id, content: text });
  }

  moveToProject(taskId: TaskId, projectId: number): void {
    this.#must("moveTaskToProject", { task_id: taskId, project_id: projectId });
  }

  create(projectId: number, columnId: ColumnId, title: string): TaskId {
    const params = { title, project_id: projectId, column_id: columnId };
    return this.#must("createTask", params) as TaskId;
  }

  #projectOf(taskId: TaskId): unknown {
    return (this.#run("getTask", { task_id: taskId }) as { project_id: number }).project_id;
  }

  /** A test that sends a person where they can't go is wrong. */
  #must(method: string, params: Readonly<Record<string, unknown>>): unknown {
    const result = this.#run(method, params);
    if (result === false || result === 0)
      throw new Error(`${method} was refused for ${this.username}`);
    return result;
  }
}
