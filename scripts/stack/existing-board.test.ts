// A Kanboard that somebody else runs is looked at first, and nothing is written before a yes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { KanboardClient, systemClock, systemRandom, type Transport } from "@agap/kb-client";
import { checkExistingBoard } from "./existing-board.ts";
import type { Options } from "./options.ts";
import { Progress } from "./progress.ts";
import { Stop } from "./stop.ts";

type Answers = Record<string, unknown>;

const column = (id: number, title: string) => ({
  id: `${id}`,
  title,
  position: `${id - 10}`,
  project_id: "5",
  task_limit: "0",
  description: "",
  hide_in_dashboard: "0",
});

/** A German board: the roles of its columns are told by position only. */
const BOARD: Answers = {
  getVersion: "1.2.51",
  getAllUsers: [],
  getAllTags: [],
  getProjectById: {
    id: "5",
    name: "Entwicklung",
    is_active: "1",
    owner_id: "0",
    last_modified: "0",
    description: null,
    identifier: "",
  },
  getActions: [],
  getAllTasks: [{ id: "9", recurrence_status: "0" }],
  getProjectUsers: { 3: "anna" },
  getProjectUserRole: "project-member",
  getColumns: ["Rückstand", "Bereit", "In Arbeit", "Erledigt"].map((title, i) =>
    column(11 + i, title),
  ),
};

function board(changes: Answers = {}): { client: KanboardClient; called: Set<string> } {
  const answers = { ...BOARD, ...changes };
  const called = new Set<string>();
  const transport: Transport = {
    send: async (requests) => ({
      serverTime: undefined,
      replies: requests.map(({ method }) => {
        called.add(method);
        assert.ok(method in answers, `unexpected call of ${method}`);
        return { ok: true as const, result: answers[method] };
      }),
    }),
  };
  return {
    client: new KanboardClient(transport, { clock: systemClock, random: systemRandom }),
    called,
  };
}

function wish(more: Partial<Options> = {}): Options {
  const kanboard = { url: "http://board.example", token: "t", project: 5 };
  return { listen: "127.0.0.1", kanboard, example: true, yes: true, force: false, ...more };
}

class Quiet extends Progress {
  readonly lines: string[] = [];
  override say(line = ""): void {
    this.lines.push(line);
  }
}

async function stopOf(changes: Answers, more: Partial<Options> = {}): Promise<Stop> {
  const { client } = board(changes);
  try {
    await checkExistingBoard(client, wish(more), new Quiet(), null);
  } catch (error) {
    if (error instanceof Stop) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("columns are mapped by position and shown with their translated titles", async () => {
  const progress = new Quiet();
  const plan = await checkExistingBoard(board().client, wish(), progress, null);
  assert.deepEqual(plan, { project: 5, columns: { backlog: 11, ready: 12, wip: 13, done: 14 } });
  assert.ok(progress.lines.some((line) => /ready +[:=] Bereit/.test(line)));
});

test("nothing is written while it is checked, and nothing at all without a yes", async () => {
  const { client, called } = board();
  const before = process.stdin.isTTY;
  process.stdin.isTTY = false;
  try {
    await assert.rejects(
      checkExistingBoard(client, wish({ yes: false }), new Quiet(), null),
      (error) => {
        return error instanceof Stop && error.exitCode === 77;
      },
    );
  } finally {
    process.stdin.isTTY = before;
  }
  for (const method of called) assert.match(method, /^get/);
});

test("a project with automatic actions, recurring tasks or custom roles is refused, unless forced", async () => {
  const against: Answers[] = [
    {
      getActions: [
        {
          id: "1",
          action_name: "\\Kanboard\\Action\\TaskClose",
          event_name: "task.move.column",
          project_id: "5",
          params: {},
        },
      ],
    },
    { getAllTasks: [{ id: "9", recurrence_status: "1" }] },
    { getProjectUserRole: "Tester" },
  ];
  for (const changes of against) {
    const stop = await stopOf(changes);
    assert.equal(stop.exitCode, 65);
    assert.match(stop.advice.join("\n"), /--force/);
    const plan = await checkExistingBoard(
      board(changes).client,
      wish({ force: true }),
      new Quiet(),
      null,
    );
    assert.equal(plan?.project, 5);
  }
});

test("a missing project, too few columns and an old Kanboard are refused", async () => {
  assert.match((await stopOf({ getProjectById: null })).message, /no project 5/);
  assert.match((await stopOf({ getColumns: [column(11, "Alles")] })).message, /fewer than four/);
  const old = await stopOf({ getVersion: "v1.2.9" });
  assert.match(old.message, /too old/);
  assert.equal(old.exitCode, 65);
});
