// A fabric for tests: a board with a ledger, one queue, and as many agents and people as a test needs. The same set-up
// serves the in-memory Kanboard and the real one.
import {
  type BoardConfig,
  formatBoardConfig,
  openFabric,
  openQueue,
  setUpAgent,
  setUpLedger,
  setUpQueue,
} from "@agap/fabric";
import {
  type Clock,
  type ColumnRole,
  columnOf,
  createTask,
  type EventSink,
  type FabricContext,
  KanboardClient,
  type ProjectId,
  type Queue,
  type QueueRules,
  type Random,
  readLog,
  type Task,
  type TaskId,
  type Transport,
  getTask,
} from "@agap/kb-client";

/** A board that tests can open as the application, as an agent, or as a person. */
export interface TestBoard {
  clock: Clock;
  random: Random;
  app(): Transport;
  /** The account must exist; gives it a token first where that is needed. */
  user(username: string): Promise<Transport>;
}

export const RULES: QueueRules = {
  leaseMs: 60_000,
  maxAttempts: 3,
  retryDelayMs: 30_000,
  requireScore: false,
  intake: ["ready"],
  takeOrder: [1, 2, 0, 3],
};

export interface Seen {
  event: string;
  fields: Readonly<Record<string, unknown>>;
}

export class TestFabric {
  readonly board: TestBoard;
  readonly config: BoardConfig;
  readonly app: KanboardClient;
  /** Everything that any agent of this fabric reported. */
  readonly events: Seen[] = [];

  private constructor(board: TestBoard, config: BoardConfig, app: KanboardClient) {
    this.board = board;
    this.config = config;
    this.app = app;
  }

  static async create(board: TestBoard): Promise<TestFabric> {
    const { clock, random } = board;
    const app = new KanboardClient(board.app(), { clock, random });
    const { binding } = await setUpLedger(app, random);
    const { entry } = await setUpQueue(app, binding, { name: "local" });
    const config: BoardConfig = {
      url: "http://127.0.0.1/",
      ledger: binding,
      queues: { local: entry },
      inboxes: {},
    };
    formatBoardConfig(config);
    return new TestFabric(board, config, app);
  }

  /** An agent with an account, a token and its memberships. */
  async agent(
    username: string,
    options: { wrap?: (transport: Transport) => Transport; clock?: Clock; emit?: EventSink } = {},
  ): Promise<FabricContext> {
    const { board, config, app } = this;
    const queues = Object.values(config.queues).map((queue) => queue.project as ProjectId);
    const { uuid, firstProject, shards } = config.ledger;
    const ledger = { uuid, firstProject: firstProject as ProjectId, shards };
    const password = `${username}-${board.random.base36(20)}`;
    await setUpAgent(app, { username, password, queues }, ledger);
    const transport = await board.user(username);
    return openFabric({
      transport: options.wrap?.(transport) ?? transport,
      board: config,
      clock: options.clock ?? board.clock,
      random: board.random,
      emit: (event, fields) => {
        this.events.push({ event, fields });
        options.emit?.(event, fields);
      },
    });
  }

  queue(ctx: FabricContext, rules: Partial<QueueRules> = {}): Promise<Queue> {
    return openQueue(ctx, this.config, "local", { ...RULES, ...rules });
  }

  /** A card as a person would make it. */
  async card(
    queue: Queue,
    fields: {
      title?: string;
      role?: Exclude<ColumnRole, "other">;
      score?: number;
      priority?: number;
    } = {},
  ): Promise<Task> {
    const { title = "a task", role = "ready", ...rest } = fields;
    const column = columnOf(queue, role);
    const options = { purpose: "setup" } as const;
    const create = createTask({ projectId: queue.project, title, columnId: column.id, ...rest });
    const id = await this.app.call(create, options);
    if (id === null) throw new Error("the test board refused a card");
    return this.see(id);
  }

  async see(id: TaskId): Promise<Task> {
    const task = await this.app.call(getTask(id), { purpose: "read" });
    if (task === null) throw new Error(`no card ${id}`);
    return task;
  }

  /** The kinds of a task's slots in order, such as "cxcd". */
  async history(ctx: FabricContext, task: { id: TaskId; dateCreation: number }): Promise<string> {
    const { log } = await readLog({ ...ctx, client: this.app }, task, "read");
    return log.slots.map((slot) => slot.kind).join("");
  }

  count(event: string): number {
    return this.events.filter((seen) => seen.event === event).length;
  }
}
