// A table with ids as a database gives them.

export type IdRule =
  /** SQLite without AUTOINCREMENT: the highest id there is, plus one; the id of a removed newest row comes again. */
  | "reused"
  /** PostgreSQL and MariaDB. */
  | "fresh";

export class Table<R extends { id: number }> {
  readonly #rows = new Map<number, R>();
  readonly #rule: IdRule;
  #highest = 0;

  constructor(rule: IdRule) {
    this.#rule = rule;
  }

  insert(row: Omit<R, "id">): R {
    const id = this.#highest + 1;
    this.#highest = id;
    const stored = { id, ...row } as R;
    this.#rows.set(id, stored);
    return stored;
  }

  /** The row itself: a change of it is a change of the table. */
  get(id: number): R | undefined {
    return this.#rows.get(id);
  }

  all(): R[] {
    return [...this.#rows.values()];
  }

  where(matches: (row: R) => boolean): R[] {
    return this.all().filter(matches);
  }

  find(matches: (row: R) => boolean): R | undefined {
    for (const row of this.#rows.values()) if (matches(row)) return row;
    return undefined;
  }

  remove(id: number): boolean {
    const removed = this.#rows.delete(id);
    if (removed && id === this.#highest && this.#rule === "reused") {
      this.#highest = Math.max(0, ...this.#rows.keys());
    }
    return removed;
  }
}
