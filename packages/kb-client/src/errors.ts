// One error type with stable codes. Expected outcomes (a lost claim, nothing to do) are return values, not errors.

/**
 * - `yes`: nothing was written, the same call may be sent again
 * - `no`: sending it again gives the same answer
 * - `ambiguous`: it may have been written; read back before doing anything else
 */
export type Retryable = "yes" | "no" | "ambiguous";

export interface FabricErrorOptions {
  code: string;
  retryable: Retryable;
  /** What the reader can do about it, one sentence. */
  hint?: string;
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** A fault with a stable code; every code has an entry in docs/errors.md. */
export class FabricError extends Error {
  override readonly name = "FabricError";
  readonly code: string;
  readonly retryable: Retryable;
  readonly hint: string | undefined;
  readonly details: Record<string, unknown>;

  constructor(message: string, options: FabricErrorOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable;
    this.hint = options.hint;
    this.details = options.details ?? {};
  }
}

export function isFabricError(error: unknown, code?: string): error is FabricError {
  return error instanceof FabricError && (code === undefined || error.code === code);
}
