// The first task: submitted like any other, and followed until its answer is on the card.
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type BoardConfig,
  openFabric,
  openQueue,
  parseQueueConfig,
  rulesOf,
  submit,
} from "@agap/fabric";
import {
  getAllComments,
  getTask,
  HttpTransport,
  type KanboardClient,
  type Queue,
  roleOf,
  systemClock,
  systemRandom,
  type TaskId,
} from "@agap/kb-client";
import type { Layout } from "./layout.ts";
import type { Progress } from "./progress.ts";
import type { Secrets } from "./secrets.ts";
import { queueFile } from "./queue-file.ts";
import { QUEUE } from "./seed-board.ts";
import { EXIT, Stop } from "./stop.ts";

const TASK = {
  title: "Say hello and name three things a shared task board is good for.",
  description: "An example by scripts/up. Close this card when you have seen the answer.",
};
/** The same card for every run of scripts/up on this board, however often it was interrupted. */
const KEY = "scripts-up-example";
const PATIENCE_MS = 180_000;

/** @returns the card's page */
export async function runExample(
  layout: Layout,
  secrets: Secrets,
  board: BoardConfig,
  progress: Progress,
): Promise<string> {
  const done = join(layout.home, "data", "example");
  if (existsSync(done)) return cardUrl(board, Number(readFileSync(done, "utf8")));
  const transport = new HttpTransport({
    url: secrets.kanboardUrl,
    auth: { kind: "user", ...secrets.shell },
  });
  try {
    const ctx = await openFabric({
      transport,
      board,
      clock: systemClock,
      random: systemRandom,
      emit: () => {},
    });
    const file = queueFile(layout);
    const queue = await openQueue(
      ctx,
      board,
      QUEUE,
      rulesOf(parseQueueConfig(readFileSync(file, "utf8"), file)),
    );
    const { id } = await submit(ctx, queue, { ...TASK, key: KEY });
    progress.say(`  task ${QUEUE}#${id} submitted: "${TASK.title}"`);
    await follow(ctx.client, queue, id, progress, layout);
    await writeFile(done, `${id}\n`);
    return cardUrl(board, id);
  } finally {
    transport.close();
  }
}

async function follow(
  client: KanboardClient,
  queue: Queue,
  id: TaskId,
  progress: Progress,
  layout: Layout,
): Promise<void> {
  const started = systemClock.monotonic();
  const shown = new Set<string>();
  for (;;) {
    const [task, comments] = await client.batch([getTask(id), getAllComments(id)], {
      purpose: "read",
    });
    if (task.ok && task.value === null) return;
    for (const comment of comments.ok ? comments.value : []) {
      const text = comment.text.trim();
      if (!shown.has(text))
        progress.say(
          text
            .split("\n")
            .map((line) => `    ${line}`)
            .join("\n"),
        );
      shown.add(text);
    }
    if (task.ok && task.value) {
      const role = roleOf(queue, task.value.columnId);
      if (role === "done" || role === "deadLetter" || !task.value.isActive) return;
    }
    if (systemClock.monotonic() - started > PATIENCE_MS) {
      throw new Stop(
        EXIT.internal,
        `the example task ${QUEUE}#${id} was not answered within ${PATIENCE_MS / 1000} s`,
        [
          `The worker's log is ${layout.log(`worker-${QUEUE}`)}.`,
          "scripts/up --no-example leaves it out.",
        ],
      );
    }
    await systemClock.sleep(300);
  }
}

function cardUrl(board: BoardConfig, id: number): string {
  return `${board.url.replace(/\/+$/, "")}/?controller=TaskViewController&action=show&task_id=${id}`;
}
