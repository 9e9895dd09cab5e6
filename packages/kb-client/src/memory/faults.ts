// What a procedure of the in-memory board can end with besides a result.

/** 401 or 403, or a PHP error: replaces the answer of the whole batch. */
export class WholeFault extends Error {
  override readonly name = "WholeFault";
  readonly status: 401 | 403 | 500;

  constructor(status: 401 | 403 | 500) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** An error of one element. */
export class ElementFault extends Error {
  override readonly name = "ElementFault";
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function forbidden(): never {
  throw new WholeFault(403);
}

/** A parameter of a wrong type, or a row that is not there where PHP wanted an array. */
export function phpError(): never {
  throw new WholeFault(500);
}

const LOCKED = "SQL Error[HY000]: SQLSTATE[HY000]: General error: 5 database is locked";

export function lockedFault(): ElementFault {
  return new ElementFault(0, LOCKED);
}

/** The strictest database counts: PostgreSQL refuses what is longer than its column. */
export function fits(value: unknown, max: number): void {
  if (typeof value === "string" && Array.from(value).length > max) {
    throw new ElementFault(
      0,
      `SQL Error[22001]: SQLSTATE[22001]: String data, right truncated: 7 ERROR:  value too long for type character varying(${max})`,
    );
  }
}
