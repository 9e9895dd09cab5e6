// The second stage of scripts/up: parts, services, board, worker, example; each step is skipped when it is done already.
import { mkdir } from "node:fs/promises";
import { type BoardConfig } from "@agap/fabric";
import {
  HttpTransport,
  isFabricError,
  KanboardClient,
  systemClock,
  systemRandom,
} from "@agap/kb-client";
import { readBoard } from "./board-file.ts";
import { sayGoodbye } from "./closing-words.ts";
import { runExample } from "./example-task.ts";
import { readEnvFile } from "./env-file.ts";
import { checkExistingBoard } from "./existing-board.ts";
import { checkExternalLiteLLM } from "./external-litellm.ts";
import { installParts, type Starters } from "./install.ts";
import type { OwnerPassword } from "./kanboard-database.ts";
import { makeLauncher } from "./launcher.ts";
import { readLayout } from "./layout.ts";
import { type Options, readOptions } from "./options.ts";
import { giveTokens, prepareOwnBoard, publicUrl } from "./own-board.ts";
import { Progress } from "./progress.ts";
import { chooseModel } from "./queue-file.ts";
import { bringSecrets, OWNER, type Secrets } from "./secrets.ts";
import { seedBoard, type SeedPlan } from "./seed-board.ts";
import { ensureRunning, type Service } from "./service.ts";
import { kanboardService, litellmService, llamaService } from "./services.ts";
import { EXIT, Stop } from "./stop.ts";
import { workerService } from "./worker-service.ts";

const layout = readLayout(process.env);
const options = readOptions(process.argv.slice(2), readEnvFile(layout.envFile));
const progress = new Progress(Number(process.env["FABRIC_STARTED"]) || undefined);
// A reader that has seen enough (`scripts/up | head`) must not end a set-up half-way.
process.stdout.on("error", () => {});

try {
  await up();
  process.exitCode = 0;
} catch (error) {
  process.exitCode = explain(error);
}

async function up(): Promise<void> {
  const secrets = await bringSecrets(layout, options);
  for (const name of ["kanboard", "litellm"])
    await mkdir(layout.data(name), { recursive: true, mode: 0o700 });
  warnAboutListening(options);
  if (options.litellm) await checkExternalLiteLLM(options.litellm, progress);
  const launcher = makeLauncher(layout, progress);
  // Reported where it is awaited, after the services: a slow start is no reason to lose them.
  launcher.catch(() => {});
  let seeded: { board: BoardConfig; password: OwnerPassword | null } | undefined;
  const own = options.kanboard === undefined;
  const starters: Starters = {
    board: async () => {
      await run(kanboardService(layout, secrets, options.listen));
      seeded = await seedOwnBoard(secrets);
    },
    litellm: () => run(litellmService(layout, secrets)),
    llama: () => run(llamaService(layout)),
  };
  await installParts(layout, options, progress, starters);
  if (!own) seeded = { board: await seedExistingBoard(secrets), password: null };
  if (!seeded) throw new Stop(EXIT.internal, "the board was not set up");
  await chooseModel(layout, options);
  const bin = await launcher;
  await run(workerService(layout, secrets));
  const card = options.example ? await runExample(layout, secrets, seeded.board, progress) : null;
  sayGoodbye(
    layout,
    options,
    secrets,
    { url: seeded.board.url, password: seeded.password, card, bin },
    progress,
  );
}

async function run(service: Service): Promise<void> {
  const started = performance.now();
  const how = await ensureRunning(layout, service);
  const time = how === "runs" ? "runs already" : `up in ${progress.seconds(started)} s`;
  progress.say(
    `  ${service.name.padEnd(13)} ${time.padEnd(14)} ${service.address.padEnd(24)} ${service.version}`,
  );
}

function clientOf(secrets: Secrets): { client: KanboardClient; close: () => void } {
  const transport = new HttpTransport({
    url: secrets.kanboardUrl,
    auth: { kind: "app", token: secrets.appToken },
  });
  const client = new KanboardClient(transport, { clock: systemClock, random: systemRandom });
  return { client, close: () => transport.close() };
}

async function seedOwnBoard(
  secrets: Secrets,
): Promise<{ board: BoardConfig; password: OwnerPassword }> {
  const url = publicUrl(options.listen, layout.ports.kanboard);
  const password = prepareOwnBoard(layout, secrets, url, progress);
  const { client, close } = clientOf(secrets);
  try {
    const board = await seedBoard(layout, client, planOf(secrets, url), systemRandom);
    giveTokens(layout, [secrets.shell, secrets.worker]);
    return { board, password };
  } finally {
    close();
  }
}

async function seedExistingBoard(secrets: Secrets): Promise<BoardConfig> {
  const { client, close } = clientOf(secrets);
  try {
    const queue = await checkExistingBoard(client, options, progress, readBoard(layout));
    const plan = { ...planOf(secrets, secrets.kanboardUrl), ...(queue && { queue }) };
    const board = await seedBoard(layout, client, plan, systemRandom);
    if (options.kanboard?.agent) return board;
    throw new Stop(
      EXIT.board,
      `the account ${secrets.worker.username} needs a token, which Kanboard's API can't make`,
      [
        `As an administrator: Users > ${secrets.worker.username} > API > Generate, and tick "Disallow login form" under Authentication.`,
        `Then run the same command again with --agent ${secrets.worker.username}:TOKEN`,
      ],
    );
  } finally {
    close();
  }
}

function planOf(secrets: Secrets, url: string): SeedPlan {
  return { url, owner: OWNER, agents: [secrets.shell.username, secrets.worker.username] };
}

function warnAboutListening({ listen }: Options): void {
  if (listen === "127.0.0.1" || listen === "::1" || listen === "localhost") return;
  progress.say(
    `  warning: Kanboard listens on ${listen} without TLS: passwords and tokens cross that network in the clear.`,
  );
  progress.say(
    "  Use it in a network you trust, or put a web server with TLS in front. LiteLLM and the model stay on loopback.",
  );
}

function explain(error: unknown): number {
  if (error instanceof Stop) {
    process.stderr.write(
      `\nscripts/up stops: ${error.message}\n${error.advice.map((line) => `  ${line}\n`).join("")}`,
    );
    return error.exitCode;
  }
  if (isFabricError(error)) {
    process.stderr.write(
      `\nscripts/up stops: ${error.code}: ${error.message}\n  ${error.hint ?? ""}\n`,
    );
    return error.code.startsWith("LEDGER") || error.code.startsWith("QUEUE")
      ? EXIT.board
      : EXIT.internal;
  }
  process.stderr.write(
    `\nscripts/up stops, and this is a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return EXIT.internal;
}
