// Tells agents from people. Agents are the members of the ledger's projects: daemons, doors and trusted agents only,
// whichever host set them up, so no configuration file has to agree with another.
import type { ProjectId, UserId } from "../ids.ts";
import { toAgentSlug } from "../ledger/index.ts";
import { getProjectUsers, type KanboardClient, type Member } from "../rpc/index.ts";

export class AgentDirectory {
  readonly #client: KanboardClient;
  readonly #ledgerProject: ProjectId;
  #slugs = new Map<UserId, string>();

  constructor(client: KanboardClient, ledgerProject: ProjectId) {
    this.#client = client;
    this.#ledgerProject = ledgerProject;
  }

  async refresh(signal?: AbortSignal): Promise<void> {
    const members = await this.#client.call(getProjectUsers(this.#ledgerProject), {
      purpose: "read",
      signal,
    });
    this.learn(members);
  }

  /** Takes the members as somebody else just read them. */
  learn(members: readonly Member[]): void {
    this.#slugs = new Map(members.map((member) => [member.id, toAgentSlug(member.name)]));
  }

  /** The account of an agent, by the name that the ledger records; undefined when it is no member any more. */
  userOf(slug: string): UserId | undefined {
    for (const [user, candidate] of this.#slugs) if (candidate === slug) return user;
    return undefined;
  }

  /** As far as is known without asking. */
  isAgent(user: UserId): boolean {
    return this.#slugs.has(user);
  }

  /** An unknown account may be a new agent: the membership is read again before it is called a person. */
  async isPerson(user: UserId, signal?: AbortSignal): Promise<boolean> {
    if (this.#slugs.has(user)) return false;
    await this.refresh(signal);
    return !this.#slugs.has(user);
  }
}
