// Due dates in zones: the application's for the first call of a request, the account's for those behind it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTask, getTask, getTimezone, readDate, setDueDate } from "@agap/kb-client";
import { AS, type Fixture, makeProject, some } from "./fixture.ts";

const iso = (epoch: number | null | undefined): string =>
  epoch ? new Date(epoch * 1000).toISOString().slice(0, 16) : "none";

export function dueDateTests(on: () => Fixture): void {
  test("only from the second call of a request on a date is read in the account's zone", async () => {
    const fixture = on();
    const project = await makeProject(fixture.app);
    const agent = await fixture.addAccount("tokyo", { [project.id]: "project-member" });
    const account = { username: "tokyo", zone: "Asia/Tokyo" };
    fixture.setZones({ application: "Europe/Berlin", account });
    const create = createTask({ title: "t", projectId: project.id, dateDue: "2026-12-01 10:00" });
    const replies = await agent.client.batch([create, create, getTimezone()], AS);
    const due = async (i: 0 | 1): Promise<string> => {
      const reply = replies[i];
      return iso(
        (await fixture.app.call(getTask(some(reply.ok ? reply.value : null)), AS))?.dateDue,
      );
    };
    assert.deepEqual([await due(0), await due(1)], ["2026-12-01T09:00", "2026-12-01T01:00"]);
    assert.deepEqual(replies[2], { ok: true, value: "Asia/Tokyo" });
    fixture.setZones({ application: "UTC", account: { username: "tokyo", zone: null } });
  });

  test("a date that is said in one zone and written from another is the same moment", async () => {
    const fixture = on();
    const project = await makeProject(fixture.app);
    const agent = await fixture.addAccount("kolkata", { [project.id]: "project-member" });
    const account = { username: "kolkata", zone: "Asia/Kolkata" };
    fixture.setZones({ application: "America/New_York", account });
    const id = await project.add();
    for (const [client, text, zone] of [
      [agent.client, "2026-12-01 10:00", "Europe/Berlin"],
      [agent.client, "2026-12-01T10:00:00+05:45", undefined],
      [fixture.app, "2026-07-01 23:59", "Pacific/Auckland"],
      [fixture.app, "2026-07-01T12:00Z", undefined],
    ] as const) {
      const epoch = readDate(text, zone);
      assert.deepEqual(await setDueDate(client, id, epoch, AS), { outcome: "set" }, text);
      assert.equal((await fixture.app.call(getTask(id), AS))?.dateDue, epoch);
    }
    fixture.setZones({ application: "UTC", account: { username: "kolkata", zone: null } });
  });

  test("clock changes: skipped hours move on, of two like hours it is the second in the east and the first in the west", async () => {
    const fixture = on();
    const { app } = fixture;
    const project = await makeProject(app);
    const cases = [
      ["Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30"],
      ["Europe/Berlin", "2026-10-25 02:30", "2026-10-25T01:30"],
      ["America/New_York", "2026-03-08 02:15", "2026-03-08T07:15"],
      ["America/New_York", "2026-11-01 01:15", "2026-11-01T05:15"],
      ["Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04T15:15"],
      ["Australia/Sydney", "2026-10-04 02:30", "2026-10-03T16:30"],
    ] as const;
    for (const [zone, text, expected] of cases) {
      fixture.setZones({ application: zone });
      const id = await project.add({ dateDue: text });
      const stored = (await app.call(getTask(id), AS))?.dateDue;
      assert.equal(iso(stored), expected, `${text} ${zone}`);
      assert.equal(stored, readDate(text, zone), "our reading and Kanboard's");
    }
    fixture.setZones({ application: "UTC" });
  });

  test("one of two like hours can't be written, and the answer says so", async () => {
    const fixture = on();
    const project = await makeProject(fixture.app);
    fixture.setZones({ application: "Europe/Berlin" });
    const id = await project.add();
    const first = readDate("2026-10-25T02:30+02:00");
    const result = await setDueDate(fixture.app, id, first, AS);
    assert.deepEqual(result, { outcome: "shifted", stored: first + 3600 });
    fixture.setZones({ application: "UTC" });
  });
}
