// What changes rarely on a board, looked up once per project.
import type { ProjectId } from "../ids.ts";
import type { KanboardClient } from "./client.ts";
import type { Procedure } from "./procedure.ts";
import { getActiveSwimlanes, getColumns } from "./procedures/layout.ts";
import { getAssignableUsers } from "./procedures/users.ts";
import type { Column, Member, Swimlane } from "./types.ts";

export class BoardInfo {
  readonly #client: KanboardClient;
  readonly #cached = new Map<string, Promise<unknown>>();

  constructor(client: KanboardClient) {
    this.#client = client;
  }

  /** From left to right. */
  columns(project: ProjectId, signal?: AbortSignal): Promise<Column[]> {
    return this.#lookUp(`columns ${project}`, getColumns(project), signal);
  }

  /** Active ones, from top to bottom. */
  swimlanes(project: ProjectId, signal?: AbortSignal): Promise<Swimlane[]> {
    return this.#lookUp(`swimlanes ${project}`, getActiveSwimlanes(project), signal);
  }

  /** Who can own a card there. */
  users(project: ProjectId, signal?: AbortSignal): Promise<Member[]> {
    return this.#lookUp(`users ${project}`, getAssignableUsers(project), signal);
  }

  /** Forgets one project, or all: after a set-up, or when an id is not found. */
  invalidate(project?: ProjectId): void {
    for (const key of this.#cached.keys()) {
      if (project === undefined || key.endsWith(` ${project}`)) this.#cached.delete(key);
    }
  }

  #lookUp<R>(key: string, procedure: Procedure<R>, signal: AbortSignal | undefined): Promise<R> {
    const known = this.#cached.get(key) as Promise<R> | undefined;
    if (known) return known;
    const asked = this.#client.call(procedure, { purpose: "read", signal });
    this.#cached.set(key, asked);
    // A failure, or the abort of whoever asked first, must not be the answer for everybody after.
    asked.catch(() => this.#cached.delete(key));
    return asked;
  }
}
