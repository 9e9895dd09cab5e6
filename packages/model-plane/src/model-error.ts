// What an error of LiteLLM means for the task that met it. LiteLLM keeps the vendor's text and loses its codes, so the
// text decides where the status does not.
import { FabricError, type Retryable } from "@agap/kb-client";

/**
 * - `unavailable`: nobody answers, or not yet: park, no attempt is used up
 * - `throttled`: a quota or rate is used up: park until it is back
 * - `refused`: wrong key or unknown model: nothing of this queue can run until a person corrects it
 * - `bad-task`: this very task can't be answered by this model: a person must look
 * - `failed`: the attempt went wrong
 */
export type ModelFault = "unavailable" | "throttled" | "refused" | "bad-task" | "failed";

export class ModelError extends FabricError {
  readonly fault: ModelFault;
  /** Seconds until it makes sense to try again, where the answer said so. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    options: {
      code: string;
      fault: ModelFault;
      hint: string;
      retryAfter?: number | undefined;
      cause?: unknown;
    },
  ) {
    const retryable: Retryable =
      options.fault === "refused" || options.fault === "bad-task" ? "no" : "yes";
    super(message, { code: options.code, retryable, hint: options.hint, cause: options.cause });
    this.fault = options.fault;
    this.retryAfter = options.retryAfter;
  }
}

export interface HttpFailure {
  /** Undefined when no answer came at all. */
  status: number | undefined;
  message: string;
  retryAfter?: number | undefined;
  cause?: unknown;
}

export function classify(failure: HttpFailure): ModelError {
  const { status, message, retryAfter, cause } = failure;
  const make = (code: string, fault: ModelFault, hint: string): ModelError =>
    new ModelError(firstSentence(message), { code, fault, hint, retryAfter, cause });
  if (status === undefined) {
    return make(
      "MODEL_UNREACHABLE",
      "unavailable",
      "LiteLLM does not answer: scripts/status shows whether it runs.",
    );
  }
  if (
    /usage limit|quota|insufficient_quota|RESOURCE_EXHAUSTED|rate.?limit|budget/i.test(message) ||
    status === 429
  ) {
    return make(
      "MODEL_THROTTLED",
      "throttled",
      "A quota or rate is used up; the queue goes on when it is back.",
    );
  }
  if (
    /connection error|connection refused|loading model|unavailable_error|cannot connect/i.test(
      message,
    ) ||
    status === 503
  ) {
    return make(
      "MODEL_UNAVAILABLE",
      "unavailable",
      "The model's server is down or still loading; the queue goes on when it answers.",
    );
  }
  if (/invalid model name/i.test(message)) {
    return make(
      "MODEL_UNKNOWN",
      "refused",
      "Correct `executor.model` in the queue's YAML, or add the model to LiteLLM.",
    );
  }
  if (status === 401 || /no connected db|no_db_connection|authentication error/i.test(message)) {
    return make(
      "MODEL_KEY_REFUSED",
      "refused",
      "Correct LITELLM_MASTER_KEY in the state folder's .env.",
    );
  }
  if (/context.?(window|length)|maximum context|exceeds? the available context/i.test(message)) {
    return make(
      "MODEL_TASK_TOO_LONG",
      "bad-task",
      "Shorten the card, or give it to a queue with a larger model.",
    );
  }
  if (/content.?policy/i.test(message)) {
    return make(
      "MODEL_TASK_REFUSED",
      "bad-task",
      "The provider refuses this text; change it or do it yourself.",
    );
  }
  if (status === 408) {
    return make(
      "MODEL_UNAVAILABLE",
      "unavailable",
      "The model did not answer in time; the queue goes on when it does.",
    );
  }
  return make("MODEL_FAILED", "failed", "The attempt counts; it is tried again after a while.");
}

/** LiteLLM puts its routing into a trailer of the message; the first line says what happened. */
function firstSentence(message: string): string {
  return message.split("\n")[0]?.slice(0, 500) || "no message";
}
