// What a newcomer does: logs in, presses +, and sees the card answered, or the sentence that says why not.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, describe, test } from "node:test";
import { BoardPage, findChromium } from "./board-page.ts";
import { OutsideView, until } from "./outside-view.ts";
import { readStack, secret, startAgain, stopPart, whyNoStack } from "./stack.ts";

const executable = findChromium();
const skip =
  whyNoStack() || (executable === null ? "no Chromium here: install the package chromium" : false);

describe("first light", { skip }, () => {
  let page: Promise<BoardPage> | undefined;
  after(async () => (await page)?.close());

  const open = async (): Promise<{
    page: BoardPage;
    stack: ReturnType<typeof readStack>;
    view: OutsideView;
  }> => {
    const stack = readStack();
    const { boardUrl } = stack;
    const view = new OutsideView(boardUrl, secret(stack, "KANBOARD_APP_TOKEN"));
    page ??= (async () => {
      const opened = await BoardPage.open(boardUrl, executable ?? "");
      await opened.login("admin", secret(stack, "KANBOARD_ADMIN_PASSWORD"));
      return opened;
    })();
    return { page: await page, stack, view };
  };

  test("a card added with + in Ready is answered by the real model, and the answer is on the card", async () => {
    const { page: board, stack, view } = await open();
    const before = await tokens();
    await board.board(stack.project);
    const nonce = randomBytes(4).toString("hex");
    const id = await board.addCard(
      stack.columns.ready,
      `Write one sentence about the number ${nonce}.`,
    );
    await until("the card is in Done", 120, async () => (await view.card(id)).column === "Done");
    const comments = await board.comments(id);
    const answer = comments.find((text) => text.includes("✅"));
    assert.ok(answer, comments.join("\n"));
    assert.match(answer, /call [0-9a-f-]{20,}/, "it names LiteLLM's call");
    const usage = /(\d+)\+(\d+) tokens/.exec(answer);
    assert.ok(usage, answer);
    const after = await tokens();
    assert.equal(
      after.predicted - before.predicted,
      Number(usage[2]),
      "the model server made those tokens",
    );
    assert.ok(
      after.prompt - before.prompt <= Number(usage[1]),
      "no more than that prompt was read",
    );
    assert.ok(after.prompt > before.prompt);
    assert.deepEqual(board.failed, [], "every icon and script of the pages is there");
  });

  test("a card added with + in Backlog says that it must be dragged to Ready, and is answered once it is", async () => {
    const { page: board, stack, view } = await open();
    await board.board(stack.project);
    const id = await board.addCard(
      stack.columns.backlog,
      `Say good morning, ${randomBytes(4).toString("hex")}.`,
    );
    await until("the sentence", 180, async () => (await view.card(id)).comments.length > 0);
    assert.match((await board.comments(id)).join("\n"), /Agents take cards from Ready/);
    await board.board(stack.project);
    await board.drag(id, stack.columns.ready);
    await until("the card is in Done", 120, async () => (await view.card(id)).column === "Done");
  });

  test("with the model server stopped the next task parks instead of failing, and is done when it is back", async () => {
    const { stack, view } = await open();
    await stopPart(stack, "llama");
    const id = await view.add(
      stack.project,
      stack.columns.ready,
      `Say good night, ${randomBytes(4).toString("hex")}.`,
    );
    await until("it is parked, or the queue is", 120, async () => {
      const card = await view.card(id);
      assert.notEqual(card.column, "Done");
      return card.column === "Backlog" || workerSays(stack, "queue.parked");
    });
    await startAgain();
    await until("the card is in Done", 240, async () => (await view.card(id)).column === "Done");
    const { firstProject, shards } = stack.ledger;
    assert.match(
      await view.ledger(firstProject, shards, id),
      /^(cpu)*cd$/,
      "no attempt was used up",
    );
  });
});

async function tokens(): Promise<{ prompt: number; predicted: number }> {
  const port = process.env["FABRIC_LLAMA_PORT"] ?? "18091";
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string): number =>
    Number(new RegExp(`^llamacpp:${name} (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return { prompt: read("prompt_tokens_total"), predicted: read("tokens_predicted_total") };
}

function workerSays(stack: { home: string }, event: string): boolean {
  return readFileSync(`${stack.home}/log/worker-local.log`, "utf8").includes(`"event":"${event}"`);
}
