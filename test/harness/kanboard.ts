// A fresh Kanboard on SQLite for one test file: own data folder, own port, ended with the file.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Auth,
  createUser,
  HttpTransport,
  KanboardClient,
  type ProjectId,
  addProjectUser,
  type ProjectRole,
  type RequestRecord,
  systemClock,
  systemRandom,
  type UserId,
} from "@agap/kb-client";
import {
  findKanboardParts,
  type RunningKanboard,
  setUserToken,
  startKanboard,
  waitForKanboard,
} from "../../scripts/stack/kanboard-server.ts";

export interface TestKanboard {
  url: string;
  dbFile: string;
  dataDir: string;
  appToken: string;
  version: string;
  /** With the application token, or as an account made by `addAccount`. */
  transport(auth?: Auth, onRequest?: (record: RequestRecord) => void): HttpTransport;
  client(auth?: Auth): KanboardClient;
  /** Makes an account with a token. */
  addAccount(
    username: string,
    projects?: Partial<Record<number, ProjectRole>>,
  ): Promise<TestAccount>;
  /** Ends the server and leaves its data folder. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

interface TestAccount {
  id: UserId;
  auth: Auth & { kind: "user" };
}

/** Where PHP and Kanboard may be; the first that has them. */
function partsFolder(): string | null {
  const { FABRIC_PARTS, FABRIC_HOME } = process.env;
  const repo = new URL("../..", import.meta.url).pathname;
  const places = [
    FABRIC_PARTS,
    FABRIC_HOME === undefined ? undefined : join(FABRIC_HOME, "parts"),
    join(repo, ".fabric", "parts"),
  ];
  return places.find((place) => place !== undefined && findKanboardParts(place) !== null) ?? null;
}

/** For `test({ skip })`: why there can be no real Kanboard here, or false. */
export function whyNoKanboard(): string | false {
  if (partsFolder() !== null) return false;
  return "no real Kanboard: run scripts/up once, or set FABRIC_PARTS";
}

export interface TestKanboardOptions {
  workers?: number;
  env?: Record<string, string>;
  appToken?: string;
  /** A data folder to start from, copied. */
  from?: string;
}

export async function startTestKanboard(options: TestKanboardOptions = {}): Promise<TestKanboard> {
  const { from, ...start } = options;
  const parts = partsFolder();
  if (parts === null) throw new Error(`${whyNoKanboard()}`);
  const dataDir = mkdtempSync(join(tmpdir(), "fabric-kanboard-"));
  if (from !== undefined) cpSync(from, dataDir, { recursive: true });
  const appToken = options.appToken ?? systemRandom.base36(32);
  const { server, version } = await startSomewhere({
    parts,
    dataDir,
    apiToken: appToken,
    ...start,
  });
  const { url } = server;
  const dbFile = join(dataDir, "db.sqlite");
  const open: HttpTransport[] = [];
  const transport: TestKanboard["transport"] = (
    auth = { kind: "app", token: appToken },
    onRequest,
  ) => {
    const made = new HttpTransport({ url, auth, onRequest });
    open.push(made);
    return made;
  };
  const client = (auth?: Auth): KanboardClient =>
    new KanboardClient(transport(auth), { clock: systemClock, random: systemRandom });
  const halt = async (): Promise<void> => {
    for (const made of open.splice(0)) made.close();
    await server.stop();
  };
  return {
    url,
    dbFile,
    dataDir,
    appToken,
    version,
    transport,
    client,
    async addAccount(username, projects = {}) {
      const app = client();
      const password = systemRandom.base36(16);
      const id = await app.call(createUser({ username, password, name: "" }), { purpose: "setup" });
      if (id === null) throw new Error(`Kanboard would not create ${username}`);
      for (const [project, role] of Object.entries(projects)) {
        const added = addProjectUser(Number(project) as ProjectId, id, role as ProjectRole);
        await app.call(added, { purpose: "setup" });
      }
      const token = systemRandom.base36(40);
      setUserToken(dbFile, username, token);
      return { id, auth: { kind: "user", username, token } };
    },
    halt,
    async stop() {
      await halt();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A free port may be taken between finding and binding it, so it is tried again with another. */
async function startSomewhere(
  start: Omit<Parameters<typeof startKanboard>[0], "port">,
): Promise<{ server: RunningKanboard; version: string }> {
  for (let tries = 1; ; tries += 1) {
    const server = startKanboard({ ...start, port: await freePort() });
    try {
      const { version } = await waitForKanboard({ url: server.url, apiToken: start.apiToken });
      return { server, version };
    } catch (error) {
      await server.stop();
      if (tries === 3) throw error;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
