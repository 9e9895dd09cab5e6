// An account for an agent: member of its queues and of the ledger. Its token can't be made through Kanboard's API;
// our own stack sets it in the database, on a foreign board its owner makes one in the web interface.
import {
  createUser,
  FabricError,
  getUserByName,
  type KanboardClient,
  type LedgerBinding,
  type ProjectId,
  toAgentSlug,
  type UserId,
} from "@agap/kb-client";
import { addMember, joinLedger } from "./ledger.ts";

export interface AgentSetUp {
  userId: UserId;
  username: string;
  created: boolean;
}

/** @throws FabricError `AGENT_NAME`, `AGENT_NOT_CREATED` */
export async function setUpAgent(
  client: KanboardClient,
  agent: { username: string; password: string; queues: readonly ProjectId[] },
  ledger: LedgerBinding,
  signal?: AbortSignal,
): Promise<AgentSetUp> {
  const options = { purpose: "setup", signal } as const;
  const { username, password } = agent;
  if (toAgentSlug(username) !== username) {
    throw new FabricError(`${JSON.stringify(username)} can't be the name of an agent`, {
      code: "AGENT_NAME",
      retryable: "no",
      hint: "Use 1 to 20 of a-z 0-9 . _ - starting with a letter or digit: the ledger records it as it is.",
    });
  }
  const found = await client.call(getUserByName(username), options);
  const userId =
    found?.id ?? (await client.call(createUser({ username, password, name: "" }), options));
  if (userId === null) {
    throw new FabricError(`Kanboard would not create the account ${username}`, {
      code: "AGENT_NOT_CREATED",
      retryable: "no",
      hint: "Check that the token is the application token (Settings > API).",
    });
  }
  for (const project of agent.queues) await addMember(client, project, userId, signal);
  await joinLedger(client, ledger, userId, signal);
  return { userId, username, created: found === null };
}
