// Eight processes ask for the same names at the same moment: the ledger stands on exactly one of them winning each.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { createProject, getTagsByProject } from "@agap/kb-client";
import { startTestKanboard, type TestKanboard, whyNoKanboard } from "../harness/kanboard.ts";
import { AS, some } from "./fixture.ts";
import type { RaceResult, RaceStart } from "./tag-racer.ts";

const RACERS = 8;
const NAMES = 20;

describe("createTag on a real Kanboard", { skip: whyNoKanboard() }, () => {
  let kanboard: TestKanboard | undefined;
  before(async () => {
    kanboard = await startTestKanboard({ workers: RACERS });
  });
  after(() => kanboard?.stop());

  test(`lets exactly one of ${RACERS} processes have each of ${NAMES} names`, async () => {
    const { url, appToken, client } = some(kanboard);
    const app = client();
    const projectId = some(await app.call(createProject({ name: "ledger" }), AS));
    const racers = Array.from({ length: RACERS }, () =>
      fork(new URL("tag-racer.ts", import.meta.url)),
    );
    await Promise.all(racers.map((racer) => once(racer, "message")));
    const results = await Promise.all(
      racers.map((racer, number) =>
        race(racer, { url, appToken, projectId, number, names: NAMES }),
      ),
    );
    const wins = Array.from({ length: NAMES }, (_, name) =>
      results.flatMap((result, racer) => (result.won.includes(name) ? [racer] : [])),
    );
    assert.deepEqual(
      results.flatMap((result) => result.errors),
      [],
    );
    assert.deepEqual(
      wins.map((winners) => winners.length),
      Array.from({ length: NAMES }, () => 1),
    );
    const tags = await app.call(getTagsByProject(projectId), AS);
    const holders = new Map(tags.map((tag) => [tag.name, tag.color]));
    for (const [name, [winner]] of wins.entries()) {
      assert.equal(
        holders.get(`t${name}.1`),
        `racer-${winner}`,
        "the winner's payload is what stays",
      );
    }
    assert.ok(new Set(wins.flat()).size > 1, "more than one process won something: they did meet");
  });
});

async function race(racer: ChildProcess, start: RaceStart): Promise<RaceResult> {
  racer.send(start);
  const [result] = (await once(racer, "message")) as [RaceResult];
  return result;
}
