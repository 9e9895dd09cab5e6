// The state of the in-memory board and the look-ups that many procedures share.
import { forbidden } from "./faults.ts";
import type {
  ActivityRow,
  ColumnRow,
  CommentRow,
  FileRow,
  LinkRow,
  ProjectRole,
  ProjectRow,
  SwimlaneRow,
  TagRow,
  TaskRow,
  UserRow,
} from "./rows.ts";
import { type IdRule, Table } from "./table.ts";

export class Board {
  readonly tasks: Table<TaskRow>;
  readonly comments: Table<CommentRow>;
  readonly tags: Table<TagRow>;
  readonly columns: Table<ColumnRow>;
  readonly swimlanes: Table<SwimlaneRow>;
  readonly users: Table<UserRow>;
  readonly projects: Table<ProjectRow>;
  readonly files: Table<FileRow>;
  readonly links: Table<LinkRow>;
  readonly activity: Table<ActivityRow>;
  /** Tag ids by task, in the order of attaching. */
  readonly taskTags = new Map<number, Set<number>>();
  readonly taskMetadata = new Map<number, Map<string, string>>();
  readonly projectMetadata = new Map<number, Map<string, string>>();
  /** Roles by project and user. */
  readonly roles = new Map<number, Map<number, ProjectRole>>();

  constructor(rule: IdRule) {
    this.tasks = new Table(rule);
    this.comments = new Table(rule);
    this.tags = new Table(rule);
    this.columns = new Table(rule);
    this.swimlanes = new Table(rule);
    this.users = new Table(rule);
    this.projects = new Table(rule);
    this.files = new Table(rule);
    this.links = new Table(rule);
    this.activity = new Table(rule);
  }

  roleOf(projectId: number, userId: number): ProjectRole | undefined {
    return this.roles.get(projectId)?.get(userId);
  }

  isAssignable(projectId: number, userId: number): boolean {
    const role = this.roleOf(projectId, userId);
    const isActive = this.users.get(userId)?.is_active === 1;
    return isActive && role !== undefined && role !== "project-viewer";
  }

  isMember(projectId: number, userId: number): boolean {
    return this.users.get(userId)?.is_active === 1 && this.roleOf(projectId, userId) !== undefined;
  }

  columnsOf(projectId: number): ColumnRow[] {
    return this.columns
      .where((column) => column.project_id === projectId)
      .sort((a, b) => a.position - b.position);
  }

  swimlanesOf(projectId: number): SwimlaneRow[] {
    return this.swimlanes
      .where((lane) => lane.project_id === projectId && lane.is_active === 1)
      .sort((a, b) => a.position - b.position);
  }

  openIn(projectId: number, columnId: number, swimlaneId?: number): TaskRow[] {
    return this.tasks
      .where(
        (task) =>
          task.is_active === 1 &&
          task.project_id === projectId &&
          task.column_id === columnId &&
          (swimlaneId === undefined || task.swimlane_id === swimlaneId),
      )
      .sort((a, b) => a.position - b.position || a.id - b.id);
  }

  /** The unique index of tags, as the strictest database compares: without case and trailing spaces. */
  tagNamed(projectId: number, name: string): TagRow | undefined {
    const wanted = folded(name);
    return this.tags.find((tag) => tag.project_id === projectId && folded(tag.name) === wanted);
  }

  tagsOf(taskId: number): TagRow[] {
    return [...(this.taskTags.get(taskId) ?? [])].flatMap((id) => this.tags.get(id) ?? []);
  }
}

function folded(name: string): string {
  return name.toLowerCase().trimEnd();
}

/** Who asks; the application token is not checked against projects and leaves no activity. */
export type Caller = { kind: "app" } | { kind: "user"; user: UserRow };

export interface Call {
  board: Board;
  caller: Caller;
  /** Epoch seconds. */
  now: number;
  /** IANA zone in which the caller's dates are read. */
  zone: string;
  applicationZone: string;
}

export function callerId(call: Call): number {
  return call.caller.kind === "user" ? call.caller.user.id : 0;
}

const RANK: Record<ProjectRole, number> = {
  "project-viewer": 1,
  "project-member": 2,
  "project-manager": 3,
};

/** An unknown project and a missing role answer alike. */
export function needRole(call: Call, projectId: number | undefined, role: ProjectRole): void {
  const { board, caller } = call;
  if (caller.kind === "app") return;
  const has = projectId === undefined ? undefined : board.roleOf(projectId, caller.user.id);
  if (has === undefined || RANK[has] < RANK[role]) forbidden();
}

export function needAdmin(call: Call): void {
  if (call.caller.kind === "user" && call.caller.user.role !== "app-admin") forbidden();
}

/** Self-service procedures: the application token is nobody. */
export function needUser(call: Call): UserRow {
  return call.caller.kind === "user" ? call.caller.user : forbidden();
}

/** Nothing that the application token does is recorded. */
export function record(call: Call, event: string, task: Pick<TaskRow, "id" | "project_id">): void {
  const { board, caller, now } = call;
  if (caller.kind === "app") return;
  board.activity.insert({
    date_creation: now,
    event_name: event,
    creator_id: caller.user.id,
    project_id: task.project_id,
    task_id: task.id,
  });
}

export function touchProject(call: Call, projectId: number): void {
  const project = call.board.projects.get(projectId);
  if (project) project.last_modified = call.now;
}
