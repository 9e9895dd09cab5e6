// What every verb stands on: one account's way to one board, and the lease files of one session. Opening it reads
// files only; the board is asked with the verb's own first request.
import { join } from "node:path";
import {
  type Clock,
  type EventSink,
  FabricError,
  type Procedure,
  type Queue,
  type Random,
  toAgentSlug,
  type Transport,
} from "@agap/kb-client";
import { type BoardConfig, openAtOnce, type OpenedAtOnce, queueEntry } from "@agap/fabric";
import type { Environment } from "../entry/environment.ts";
import type { BootClock } from "../lease/boot-clock.ts";
import { LeaseStore } from "../lease/lease-store.ts";
import { homeMissing, readBoard, readIfThere, readRules } from "./config-files.ts";
import { chooseCredential, type Credential } from "./credential.ts";

export interface Door {
  home: string;
  board: BoardConfig;
  /** Name of the account, and the same as the ledger writes it. */
  account: string;
  agent: string;
  /** Taken where a verb is given no queue. */
  defaultQueue: string | undefined;
  leases: LeaseStore;
  boot: BootClock;
  clock: Clock;
  random: Random;
  transport: Transport;
  emit: EventSink;
  signal: AbortSignal | undefined;
}

export interface Ports {
  clock: Clock;
  random: Random;
  boot: BootClock;
  emit: EventSink;
  signal?: AbortSignal | undefined;
  connect(url: string, credential: Credential): Promise<Transport>;
}

/** @throws FabricError `CLI_HOME_MISSING`, `CLI_NO_CREDENTIAL`, `CONFIG_INVALID` */
export async function openDoor(environment: Environment, ports: Ports): Promise<Door> {
  const { home } = environment;
  if (home === null) {
    throw homeMissing("no .fabric folder here or above, and FABRIC_HOME is not set");
  }
  const board = await readBoard(home);
  const dotenv = readIfThere(join(home, ".env")) ?? "";
  const credential = chooseCredential(environment, dotenv);
  const agent = toAgentSlug(credential.username);
  const { clock, random, boot, emit, signal } = ports;
  return {
    home,
    board,
    account: credential.username,
    agent,
    defaultQueue: environment.queue,
    leases: new LeaseStore(home, agent, environment.session),
    boot,
    clock,
    random,
    transport: await ports.connect(board.url, credential),
    emit,
    signal,
  };
}

/** @throws FabricError `QUEUE_UNKNOWN`, `CLI_QUEUE_NEEDED` */
export function chooseQueue(door: Door, given: string | undefined): string {
  const known = Object.keys(door.board.queues);
  const name = given ?? door.defaultQueue ?? (known.length === 1 ? known[0] : undefined);
  if (name === undefined) {
    throw new FabricError("there are several queues, and none was named", {
      code: "CLI_QUEUE_NEEDED",
      retryable: "no",
      hint: `Add --queue with one of: ${known.join(", ")}; or set FABRIC_QUEUE.`,
    });
  }
  queueEntry(door.board, name);
  return name;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a tuple of procedures with different results
type AnyProcedure = Procedure<any>;

/**
 * The first request of a verb: the board, the queue and whatever the verb wants to read.
 * @throws FabricError `CLI_WRONG_ACCOUNT`, and those of `openAtOnce`
 */
export async function enter<const P extends readonly AnyProcedure[]>(
  door: Door,
  queue: string,
  also: P,
): Promise<OpenedAtOnce<P>> {
  const { transport, board, clock, random, emit, signal, home } = door;
  const options = { transport, board, clock, random, emit, ...(signal ? { signal } : {}) };
  const rules = await readRules(home, queue);
  const opened = await openAtOnce(options, { queue, rules }, also);
  const actual = opened.ctx.me.agent;
  if (actual !== door.agent) {
    throw new FabricError(`the token of ${door.account} belongs to the account ${actual}`, {
      code: "CLI_WRONG_ACCOUNT",
      retryable: "no",
      hint: "Correct the token in .env: a lease must be found again under the account that holds it.",
    });
  }
  return opened;
}

/** @returns the queue of the board that a project is, if it is one */
export function queueOfProject(door: Door, project: number): string | undefined {
  return Object.entries(door.board.queues).find(([, entry]) => entry.project === project)?.[0];
}

export function taskRef(queue: Pick<Queue, "name"> | string, id: number): string {
  return `${typeof queue === "string" ? queue : queue.name}#${id}`;
}

/** The card's page: short and valid for every way Kanboard may be served. */
export function cardUrl(door: Pick<Door, "board">, id: number): string {
  const base = door.board.url.replace(/\/+$/, "");
  return `${base}/?controller=TaskViewController&action=show&task_id=${id}`;
}
