// The two boards that must behave alike: the in-memory one and a real Kanboard on SQLite.
import {
  type Auth,
  type Column,
  createProject,
  createTask,
  getColumns,
  getActiveSwimlanes,
  isFabricError,
  KanboardClient,
  type NewTask,
  type ProjectId,
  type ProjectRole,
  type Swimlane,
  systemClock,
  systemRandom,
  type TaskId,
  type Transport,
  type UserId,
} from "@agap/kb-client";
import { MemoryKanboard } from "@agap/kb-client/memory";
import { DatabaseSync } from "node:sqlite";
import { startTestKanboard, whyNoKanboard } from "../harness/kanboard.ts";

interface Account {
  id: UserId;
  auth: Auth & { kind: "user" };
  client: KanboardClient;
}

export interface Fixture {
  app: KanboardClient;
  client(auth: Auth): KanboardClient;
  transport(auth?: Auth): Transport;
  addAccount(username: string, projects?: Record<number, ProjectRole>): Promise<Account>;
  /** null takes the account's own zone off. */
  setZones(zones: {
    application: string;
    account?: { username: string; zone: string | null };
  }): void;
  stop(): Promise<void>;
}

/** What both boards are called in test titles, why one can't be had, and how to get it. */
export interface Subject {
  name: string;
  skip: string | false;
  open(): Promise<Fixture>;
}

export const SUBJECTS: readonly Subject[] = [
  { name: "in memory", skip: false, open: openMemory },
  { name: "Kanboard on SQLite", skip: whyNoKanboard(), open: openReal },
];

const ports = { clock: systemClock, random: systemRandom };

async function openMemory(): Promise<Fixture> {
  const memory = new MemoryKanboard({ clock: systemClock });
  const client = (auth?: Auth): KanboardClient => new KanboardClient(memory.transport(auth), ports);
  return {
    app: client(),
    client,
    transport: (auth) => memory.transport(auth),
    async addAccount(username, projects) {
      const { id, auth } = memory.addAccount(username, projects);
      return { id, auth, client: client(auth) };
    },
    setZones({ application, account }) {
      memory.zone = application;
      const user = memory.board.users.find((row) => row.username === account?.username);
      if (user && account) user.timezone = account.zone;
    },
    async stop() {},
  };
}

async function openReal(): Promise<Fixture> {
  const real = await startTestKanboard();
  return {
    app: real.client(),
    client: (auth) => real.client(auth),
    transport: (auth) => real.transport(auth),
    async addAccount(username, projects) {
      const { id, auth } = await real.addAccount(username, projects);
      return { id, auth, client: real.client(auth) };
    },
    setZones({ application, account }) {
      const db = new DatabaseSync(real.dbFile, { timeout: 10_000 });
      const setting = "UPDATE settings SET value = ? WHERE option = 'application_timezone'";
      db.prepare(setting).run(application);
      if (account) {
        const user = db.prepare("UPDATE users SET timezone = ? WHERE username = ?");
        user.run(account.zone, account.username);
      }
      db.close();
    },
    stop: () => real.stop(),
  };
}

export interface TestProject {
  id: ProjectId;
  columns: Column[];
  backlog: Column;
  ready: Column;
  wip: Column;
  done: Column;
  lane: Swimlane;
  add(task?: Partial<NewTask>): Promise<TaskId>;
}

export const AS = { purpose: "read" } as const;

/** A project with the four columns of every new one. */
export async function makeProject(app: KanboardClient, name = "a queue"): Promise<TestProject> {
  const id = some(await app.call(createProject({ name }), AS));
  const columns = await app.call(getColumns(id), AS);
  const [lane] = await app.call(getActiveSwimlanes(id), AS);
  const [backlog, ready, wip, done] = columns;
  return {
    id,
    columns,
    backlog: some(backlog),
    ready: some(ready),
    wip: some(wip),
    done: some(done),
    lane: some(lane),
    async add(task = {}) {
      return some(await app.call(createTask({ title: "a card", projectId: id, ...task }), AS));
    },
  };
}

/** The value, where a test can't go on without it. */
export function some<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("nothing there");
  return value;
}

/** Waits until the board's clock shows another second: its times have no finer resolution. */
export async function nextSecond(fixture: Fixture): Promise<void> {
  const read = async (): Promise<number | undefined> => {
    const reply = await fixture.transport().send([{ method: "getVersion", params: {} }], AS);
    return reply.serverTime;
  };
  const start = await read();
  while ((await read()) === start) await systemClock.sleep(50);
}

/** The code of what a call throws; "none" when it does not. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "none";
  } catch (error) {
    if (isFabricError(error)) return `${error.code} ${error.retryable}`;
    throw error;
  }
}
