// What must hold on the board after every seeded run, whatever went wrong during it.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Kind,
  logKey,
  mark,
  readLogs,
  SUCCESSORS,
  type Tag,
  type TagId,
} from "@agap/kb-client";
import { type Faults, type Outcome, simulate } from "./simulation.ts";

const CALM: Faults = { lostRequest: 0, lostAnswer: 0, late: 0, locked: 0, crash: 0, gestures: 0 };
const STORMS: Readonly<Record<string, Faults>> = {
  "workers crash": { ...CALM, crash: 0.3 },
  "the database locks": { ...CALM, locked: 0.3 },
  "people drag and close": { ...CALM, gestures: 40 },
  "the network loses requests and answers": { ...CALM, lostRequest: 0.05, lostAnswer: 0.05 },
  "requests arrive late": { ...CALM, late: 0.05 },
  "everything at once": {
    lostRequest: 0.03,
    lostAnswer: 0.03,
    late: 0.02,
    locked: 0.2,
    crash: 0.15,
    gestures: 40,
  },
};

const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 1);
const FIRST_SEED = Number(process.env["SIMULATION_FIRST_SEED"] ?? 1);

for (const [name, faults] of Object.entries(STORMS)) {
  test(`no task is lost or done twice although ${name}`, async () => {
    const all: string[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const outcome = await simulate(seed, faults, 8);
      all.push(...problems(outcome, faults).map((wrong) => `seed ${seed}: ${wrong}`));
    }
    assert.equal(all.join("\n"), "");
  });
}

test("the same seed is the same run", async () => {
  const faults = STORMS["everything at once"] ?? CALM;
  const [a, b] = [await simulate(7, faults, 4), await simulate(7, faults, 4)];
  assert.deepEqual(a.trace, b.trace);
});

function problems(
  { kanboard, queue, cards, last, trace, errors }: Outcome,
  faults: Faults,
): string[] {
  const wrong = errors.map((error) => `a worker ended: ${String(error)}`);
  const tags = kanboard.board.tags.all().map((row) => {
    return { id: row.id as TagId, name: row.name, color: row.color_id } as unknown as Tag;
  });
  const logs = readLogs(tags);
  for (const id of cards) {
    const row = kanboard.board.tasks.get(id);
    const gesture = last.get(id);
    if (!row) {
      if (gesture !== "delete") wrong.push(`${id}: deleted by nobody`);
      continue;
    }
    const log = logs.get(logKey({ id, dateCreation: row.date_creation }));
    const slots = log?.slots ?? [];
    const history = slots.map((slot) => slot.kind).join("");
    const column = Object.entries(queue.columns).find(([, at]) => at?.id === row.column_id)?.[0];
    const about = `${id} ${history} in ${row.is_active ? column : "closed"}, last ${gesture ?? "-"}`;
    const say = (what: string): void => {
      wrong.push(
        `${about}: ${what}`,
        ...trace.filter((line) =>
          new RegExp(`"task":${id}\\b|(?:^\\d+ person \\w+ ${id}$)`).test(line),
        ),
      );
    };
    let before: Kind | "none" = "none";
    for (const slot of slots) {
      if (!SUCCESSORS[before].includes(slot.kind)) say(`${slot.kind} after ${before}`);
      before = slot.kind;
    }
    if (log?.damaged) say("has a hole");
    const head = slots.at(-1)?.kind ?? "none";
    const meta = kanboard.board.taskMetadata.get(id);
    if (row.is_active === 0) {
      if (!"vqk".includes(head) && head !== "none") say("closed, not recorded");
    } else {
      const isHeld = column === "backlog" && (gesture === "backlog" || gesture === "reopen");
      const rests: Partial<Record<Kind | "none", boolean>> = {
        d: column === "done",
        k: column === "deadLetter",
        h: column === "wip",
        p:
          (column === "wip" && row.owner_id === 0) ||
          (column === "backlog" && (meta?.get("f.wait") ?? "").endsWith("human")),
        none: isHeld || gesture === "wip" || gesture === "done" || gesture === "reopen",
        r: isHeld,
        f: isHeld,
        x: isHeld,
        u: isHeld,
        // Reopened: in Backlog, or where a late request or a lost one left it; a person drags it on from there.
        o: column !== "ready",
      };
      if (rests[head] !== true) say("does not rest where its log says");
    }
    if (faults.late === 0) {
      if (gesture === "close" && row.is_active === 1) say("a close did not stand");
      if (gesture === "backlog" && column !== "backlog") say("a drag to Backlog did not stand");
      // A canceled card that is reopened and dragged to Done goes to Backlog.
      if (gesture === "done" && column !== "done" && head !== "o")
        say("a drag to Done did not stand");
      if (gesture === "wip" && column !== "wip" && head !== "o")
        say("a drag to Work in progress did not stand");
    }
    const files = kanboard.board.files.where((file) => file.task_id === id);
    const comments = kanboard.board.comments.where((comment) => comment.task_id === id);
    for (const [i, slot] of slots.entries()) {
      const claim = slots[i - 1];
      if (slot.kind !== "d" || claim?.kind !== "c" || slots[i + 1]?.kind === "o") continue;
      const ref = mark({ epoch: claim.n, nonce: claim.nonce });
      const results = files.filter((file) => file.name.includes(ref)).length;
      if (results === 0) say("done without a result");
      const said = comments.filter(
        ({ comment }) => comment.startsWith("✅") && comment.includes(ref),
      );
      const clean = faults.late + faults.lostAnswer + faults.lostRequest === 0;
      if (clean && results > 1) say(`${results} files of one result`);
      if (clean && said.length > 1) say(`said ✅ ${said.length} times`);
    }
  }
  return wrong;
}
