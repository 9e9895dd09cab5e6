// What our escaping is for: a real Kanboard notifies people whose name follows an "@".
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { createComment, escapeMentions, type TaskId } from "@agap/kb-client";
import { startTestKanboard, type TestKanboard, whyNoKanboard } from "../harness/kanboard.ts";
import { AS, makeProject, some } from "./fixture.ts";

const TEXTS = [
  "@ada",
  "hi @ada.",
  "hi @ada, look",
  "line\n@ada: look",
  "\\@ada",
  "me@ada",
  "**@ada **",
  "@ada@ada",
  "@@ada",
];

describe("mentions on a real Kanboard", { skip: whyNoKanboard() }, () => {
  let kanboard: TestKanboard | undefined;
  let db: DatabaseSync | undefined;
  let taskId: TaskId | undefined;

  before(async () => {
    kanboard = await startTestKanboard();
    const app = kanboard.client();
    const project = await makeProject(app);
    const ada = await kanboard.addAccount("ada", { [project.id]: "project-member" });
    taskId = await project.add();
    db = new DatabaseSync(kanboard.dbFile, { timeout: 10_000 });
    db.exec("UPDATE users SET notifications_enabled = 1");
    db.prepare(
      "INSERT INTO user_has_notification_types (user_id, notification_type) VALUES (?, 'web')",
    ).run(ada.id);
  });
  after(async () => {
    db?.close();
    await kanboard?.stop();
  });

  async function notifies(text: string): Promise<boolean> {
    const board = some(db);
    board.exec("DELETE FROM user_has_unread_notifications");
    const comment = createComment({ taskId: some(taskId), userId: 1 as never, content: text });
    some(await some(kanboard).client().call(comment, AS));
    const events = board.prepare("SELECT event_name FROM user_has_unread_notifications").all();
    return events.some((row) => row["event_name"] === "comment.user.mention");
  }

  test("a bare mention notifies, so that the rest of this file proves something", async () => {
    assert.equal(await notifies("hi @ada"), true);
  });

  for (const text of TEXTS) {
    test(`${JSON.stringify(text)} notifies nobody once it is escaped`, async () => {
      assert.equal(await notifies(escapeMentions(text)), false);
    });
  }
});
