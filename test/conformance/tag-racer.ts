// One process of the race for tags; started by tag-race.test.ts.
import {
  createTag,
  HttpTransport,
  isFabricError,
  KanboardClient,
  type ProjectId,
  systemClock,
  systemRandom,
} from "@agap/kb-client";

export interface RaceStart {
  url: string;
  appToken: string;
  projectId: ProjectId;
  number: number;
  names: number;
}

export interface RaceResult {
  won: number[];
  errors: string[];
}

process.once("message", (start: RaceStart) => void run(start));
process.send?.("ready");

async function run(start: RaceStart): Promise<void> {
  const { url, appToken, projectId, number, names } = start;
  const transport = new HttpTransport({ url, auth: { kind: "app", token: appToken } });
  const client = new KanboardClient(transport, { clock: systemClock, random: systemRandom });
  const result: RaceResult = { won: [], errors: [] };
  for (let name = 0; name < names; name += 1) {
    try {
      const tag = createTag(projectId, `t${name}.1`, `racer-${number}`);
      const id = await client.call(tag, { purpose: "claim" });
      if (id !== null) result.won.push(name);
    } catch (error) {
      result.errors.push(isFabricError(error) ? error.code : String(error));
    }
  }
  transport.close();
  process.send?.(result, () => process.disconnect());
}
