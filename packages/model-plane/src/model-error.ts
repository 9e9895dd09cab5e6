// A call to a model that went wrong, and whose concern that is.
import { FabricError, type Retryable } from "@agap/kb-client";

/**
 * - `unavailable`: nobody answers, or not yet: park, no attempt is used up
 * - `throttled`: a quota or rate is used up: park until it is back, no attempt is used up
 * - `refused`: wrong key or unknown model: nothing of this queue can run until a person corrects it
 * - `bad-task`: this very task can't be answered by this model: a person must look
 * - `failed`: the attempt went wrong
 */
export type ModelFault = "unavailable" | "throttled" | "refused" | "bad-task" | "failed";

export interface ModelErrorOptions {
  code: string;
  fault: ModelFault;
  hint: string;
  retryAfter?: number | undefined;
  callId?: string | null | undefined;
  cause?: unknown;
}

export class ModelError extends FabricError {
  readonly fault: ModelFault;
  /** Seconds until it makes sense to try again, where the answer said so. */
  readonly retryAfter: number | undefined;
  /** LiteLLM's id of the call, where it got that far. */
  readonly callId: string | null;

  constructor(message: string, options: ModelErrorOptions) {
    const { code, fault, hint, retryAfter, callId = null, cause } = options;
    const retryable: Retryable = fault === "refused" || fault === "bad-task" ? "no" : "yes";
    super(message, { code, retryable, hint, cause });
    this.fault = fault;
    this.retryAfter = retryAfter;
    this.callId = callId;
  }
}
