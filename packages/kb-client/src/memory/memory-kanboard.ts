// An in-memory Kanboard behind the transport port: for tests that drive the clock, lose answers and need thousands of
// runs. The conformance suite holds it to the real one.
import { FabricError, type Retryable } from "../errors.ts";
import type { ProjectId, UserId } from "../ids.ts";
import type { Clock } from "../ports.ts";
import type { Auth } from "../rpc/http-address.ts";
import { readAnswer } from "../rpc/http-answer.ts";
import type {
  RpcReply,
  RpcRequest,
  SendOptions,
  Transport,
  TransportReply,
} from "../rpc/transport.ts";
import { Board, type Call, type Caller } from "./board.ts";
import { ElementFault, lockedFault, WholeFault } from "./faults.ts";
import { bind } from "./method.ts";
import { METHODS } from "./methods/index.ts";
import { Person } from "./person.ts";
import type { ProjectRole } from "./rows.ts";
import type { IdRule } from "./table.ts";

export interface Intercepted {
  requests: readonly RpcRequest[];
  auth: Auth;
  purpose: SendOptions["purpose"];
  /** Counts the requests of this board from 1. */
  number: number;
}

/**
 * Before: `refuse` = not connected, nothing runs; `twice` = a repeated request, the second answer counts;
 * `{ locked }` = the elements of these indices run and answer "database is locked" all the same.
 * In both: `drop-answer` = everything ran and nobody hears of it; an error is thrown as it is, before or after.
 */
export type Interception =
  | "ok"
  | "refuse"
  | "twice"
  | "drop-answer"
  | { locked: number[] }
  | FabricError;

export interface MemoryKanboardOptions {
  clock: Clock;
  appToken?: string;
  /** Of ids after the newest row was removed; "reused" as SQLite does. */
  ids?: IdRule;
  /** IANA zone of the application. */
  zone?: string;
}

export class MemoryKanboard {
  readonly board: Board;
  readonly appToken: string;
  /** Called around each request; may wait, so that a test decides about the order of concurrent ones. */
  intercept:
    | ((request: Intercepted, phase: "before" | "after") => Interception | Promise<Interception>)
    | undefined;
  /** Awaited between the elements of a batch, which is no transaction: other requests may come in between. */
  betweenElements: (() => Promise<void>) | undefined;
  zone: string;
  readonly #clock: Clock;
  #requests = 0;

  constructor(options: MemoryKanboardOptions) {
    this.#clock = options.clock;
    this.appToken = options.appToken ?? "app-token";
    this.zone = options.zone ?? "UTC";
    this.board = new Board(options.ids ?? "reused");
    // The administrator of a fresh installation.
    this.board.users.insert(account("admin", "app-admin"));
  }

  /** HTTP requests served. */
  get requestCount(): number {
    return this.#requests;
  }

  transport(auth: Auth = { kind: "app", token: this.appToken }): Transport {
    return { send: (requests, options) => this.#send(auth, requests, options) };
  }

  /** Makes an account with a token. */
  addAccount(
    username: string,
    projects: Readonly<Record<number, ProjectRole>> = {},
  ): { id: UserId; auth: Auth & { kind: "user" } } {
    const token = `token-of-${username}`;
    const user = this.board.users.insert({
      ...account(username, "app-user"),
      api_access_token: token,
    });
    for (const [project, role] of Object.entries(projects)) {
      const roles = this.board.roles.get(Number(project)) ?? new Map<number, ProjectRole>();
      roles.set(user.id, role);
      this.board.roles.set(Number(project), roles);
    }
    return { id: user.id as UserId, auth: { kind: "user", username, token } };
  }

  /** Somebody at the board's pages; the account and its membership are made when missing. */
  person(username: string, project: ProjectId): Person {
    const known = this.board.users.find((user) => user.username === username);
    const id = known?.id ?? this.addAccount(username).id;
    const roles = this.board.roles.get(project) ?? new Map<number, ProjectRole>();
    if (!roles.has(id)) roles.set(id, "project-member");
    this.board.roles.set(project, roles);
    const user = this.board.users.get(id);
    if (!user) throw new Error(`no account ${username}`);
    return new Person(user, (method, params) => {
      const call = this.#call({ kind: "user", user }, 1);
      return run({ method, params }, call);
    });
  }

  async #send(
    auth: Auth,
    requests: readonly RpcRequest[],
    options: SendOptions,
  ): Promise<TransportReply> {
    options.signal?.throwIfAborted();
    this.#requests += 1;
    const intercepted = { requests, auth, purpose: options.purpose, number: this.#requests };
    // A real request takes at least one turn of the event loop.
    await Promise.resolve();
    const before = (await this.intercept?.(intercepted, "before")) ?? "ok";
    if (before instanceof FabricError) throw before;
    if (before === "refuse") throw lost("KB_UNREACHABLE", "yes");
    if (before === "twice") await this.#answer(auth, requests, []);
    const locked = typeof before === "object" ? before.locked : [];
    const reply = await this.#answer(auth, requests, locked);
    const after = (await this.intercept?.(intercepted, "after")) ?? "ok";
    if (after instanceof FabricError) throw after;
    if (before === "drop-answer" || after === "drop-answer") {
      throw lost("KB_CONNECTION_LOST", "ambiguous");
    }
    options.signal?.throwIfAborted();
    if (reply instanceof WholeFault) throw wholeError(reply, requests);
    return { replies: reply, serverTime: Math.floor(this.#clock.now() / 1000) * 1000 };
  }

  async #answer(
    auth: Auth,
    requests: readonly RpcRequest[],
    locked: readonly number[],
  ): Promise<RpcReply[] | WholeFault> {
    const replies: RpcReply[] = [];
    try {
      for (const [i, request] of requests.entries()) {
        if (i > 0) await this.betweenElements?.();
        const call = this.#call(this.#authenticate(auth), i);
        replies.push(reply(request, call, locked.includes(i)));
      }
    } catch (error) {
      if (error instanceof WholeFault) return error;
      throw error;
    }
    return replies;
  }

  #authenticate(auth: Auth): Caller {
    if (auth.kind === "app") {
      if (auth.token !== this.appToken) throw new WholeFault(401);
      return { kind: "app" };
    }
    const user = this.board.users.find((row) => row.username === auth.username);
    const fits = user && (user.api_access_token === auth.token || user.password === auth.token);
    if (!fits || user.is_active !== 1) throw new WholeFault(401);
    return { kind: "user", user };
  }

  /** Kanboard sets the zone before it knows who calls: the first element is read in the application's. */
  #call(caller: Caller, index: number): Call {
    const own = caller.kind === "user" && index > 0 ? caller.user.timezone : null;
    return {
      board: this.board,
      caller,
      now: Math.floor(this.#clock.now() / 1000),
      zone: own ?? this.zone,
      applicationZone: this.zone,
    };
  }
}

function account(username: string, role: "app-admin" | "app-user") {
  return {
    username,
    password: `password-of-${username}`,
    name: "",
    email: "",
    role,
    is_active: 1,
    timezone: null as string | null,
    api_access_token: null as string | null,
  };
}

function run(request: RpcRequest, call: Call): unknown {
  const method = METHODS[request.method];
  if (!method) throw new ElementFault(-32601, "Method not found");
  return method.run(call, bind(method, request.params));
}

function reply(request: RpcRequest, call: Call, locked: boolean): RpcReply {
  try {
    const result = run(request, call);
    if (locked) throw lockedFault();
    return { ok: true, result };
  } catch (error) {
    if (!(error instanceof ElementFault)) throw error;
    const { code, message, data } = error;
    return { ok: false, error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** Through the same reader as an HTTP answer, so that both transports raise the same errors. */
function wholeError(fault: WholeFault, requests: readonly RpcRequest[]): unknown {
  const { status } = fault;
  const message = status === 401 ? "Unauthorized" : "Forbidden";
  const body =
    status === 500
      ? ""
      : JSON.stringify({ jsonrpc: "2.0", error: { code: status, message }, id: null });
  try {
    readAnswer({ status, body }, requests);
    return new Error(`HTTP ${status} was read as an answer`);
  } catch (error) {
    return error;
  }
}

function lost(code: "KB_UNREACHABLE" | "KB_CONNECTION_LOST", retryable: Retryable): FabricError {
  return new FabricError("the in-memory Kanboard was told to lose this", { code, retryable });
}
