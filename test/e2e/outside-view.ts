// Reads the board from outside: plain HTTP and JSON, sharing no code with the product, so that its judgement is its own.

export interface Card {
  id: number;
  title: string;
  column: string;
  open: boolean;
  owner: number;
  comments: string[];
  /** Attached results by name. */
  results: string[];
}

interface Reply {
  id: number;
  result: unknown;
}

export class OutsideView {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, applicationToken: string) {
    this.#url = `${url.replace(/\/$/, "")}/jsonrpc.php`;
    this.#token = applicationToken;
  }

  async ask(calls: { method: string; params: object }[]): Promise<unknown[]> {
    if (calls.length === 0) return [];
    const answer = await fetch(this.#url, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`jsonrpc:${this.#token}`).toString("base64")}`,
      },
      body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))),
    });
    const replies = (await answer.json()) as Reply[];
    return replies.toSorted((a, b) => a.id - b.id).map((reply) => reply.result);
  }

  async columns(project: number): Promise<Map<number, string>> {
    const [columns] = await this.ask([{ method: "getColumns", params: { project_id: project } }]);
    return new Map(
      (columns as { id: number; title: string }[]).map(({ id, title }) => [id, title]),
    );
  }

  /** Where each card is; no comments and files. */
  async places(
    project: number,
  ): Promise<Map<number, { column: string; open: boolean; owner: number; title: string }>> {
    const columns = await this.columns(project);
    const [open, closed] = await this.ask([
      { method: "getAllTasks", params: { project_id: project, status_id: 1 } },
      { method: "getAllTasks", params: { project_id: project, status_id: 0 } },
    ]);
    const rows = [...(open as Record<string, unknown>[]), ...(closed as Record<string, unknown>[])];
    return new Map(
      rows.map((row) => [
        Number(row["id"]),
        {
          column: columns.get(Number(row["column_id"])) ?? "?",
          open: Number(row["is_active"]) === 1,
          owner: Number(row["owner_id"]),
          title: String(row["title"]),
        },
      ]),
    );
  }

  async card(id: number): Promise<Card> {
    const [row, comments, files] = await this.ask([
      { method: "getTask", params: { task_id: id } },
      { method: "getAllComments", params: { task_id: id } },
      { method: "getAllTaskFiles", params: { task_id: id } },
    ]);
    const task = row as Record<string, unknown>;
    const columns = await this.columns(Number(task["project_id"]));
    return {
      id,
      title: String(task["title"]),
      column: columns.get(Number(task["column_id"])) ?? "?",
      open: Number(task["is_active"]) === 1,
      owner: Number(task["owner_id"]),
      comments: (comments as { comment: string }[]).map(({ comment }) => comment),
      results: (files as { name: string }[]).map(({ name }) => name),
    };
  }

  async add(project: number, column: number, title: string, description = ""): Promise<number> {
    const params = { project_id: project, column_id: column, title, description };
    const [id] = await this.ask([{ method: "createTask", params }]);
    return Number(id);
  }

  /** The kinds of a task's ledger entries in order, read from the tags themselves. */
  async ledger(firstProject: number, shards: number, id: number): Promise<string> {
    const project = firstProject + (id % shards);
    const [tags] = await this.ask([
      { method: "getTagsByProject", params: { project_id: project } },
    ]);
    return (tags as { name: string; color_id: string }[])
      .filter(({ name }) => name.startsWith(`t${id}-`))
      .map(({ name, color_id }) => ({
        n: Number(name.split(".").at(-1)),
        kind: color_id[0] ?? "?",
      }))
      .toSorted((a, b) => a.n - b.n)
      .map(({ kind }) => kind)
      .join("");
  }
}

/** Asks again and again until it holds; `what` is said when it never does. */
export async function until(
  what: string,
  seconds: number,
  holds: () => Promise<boolean>,
): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await holds()) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
  }
  throw new Error(`not within ${seconds} s: ${what}`);
}
