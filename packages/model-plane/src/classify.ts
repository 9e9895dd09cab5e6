// What an error of LiteLLM means for the task that met it. LiteLLM keeps the vendor's sentence and loses its codes, so
// the sentence decides where the status does not. The first row that fits counts.
import { ModelError, type ModelFault } from "./model-error.ts";

export interface HttpFailure {
  /** Undefined when no answer came at all. */
  status: number | undefined;
  message: string;
  /** LiteLLM's `error.type` and `error.code`; it often leaves them empty. */
  type?: string | null | undefined;
  code?: string | null | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  callId?: string | null | undefined;
  cause?: unknown;
}

interface Row {
  code: string;
  fault: ModelFault;
  hint: string;
  status?: readonly number[];
  type?: readonly string[];
  text?: RegExp;
}

/** A row fits when its status, its type or its text does. */
const ROWS: readonly Row[] = [
  {
    code: "MODEL_UNKNOWN",
    fault: "refused",
    hint: "Correct `executor.model` in the queue's YAML, or add the model to LiteLLM.",
    status: [404],
    text: /invalid model name/i,
  },
  {
    code: "MODEL_KEY_REFUSED",
    fault: "refused",
    hint: "Correct LITELLM_MASTER_KEY in the state folder's .env, or the provider's key in LiteLLM.",
    status: [401],
    type: ["token_not_found_in_db", "expired_key"],
    text: /no connected db|AuthenticationError|authentication error/i,
  },
  {
    // Before the quotas: a suspended account answers with the same status and words that sound alike.
    code: "MODEL_NOT_ALLOWED",
    fault: "refused",
    hint: "The provider or LiteLLM bars this account from the model: look at its access and payment.",
    text: /suspended|access.?terminated|model is blocked/i,
  },
  {
    code: "MODEL_TASK_TOO_LONG",
    fault: "bad-task",
    hint: "Shorten the card, or give it to a queue with a larger model.",
    status: [413],
    type: ["context_length_exceeded", "exceed_context_size_error"],
    text: /ContextWindowExceeded|context.?length.?exceeded|maximum context|exceeds? the (available )?context/i,
  },
  {
    code: "MODEL_TASK_REFUSED",
    fault: "bad-task",
    hint: "The provider refuses this text: change it, or do it yourself.",
    text: /content.?policy|content.?filter/i,
  },
  {
    code: "MODEL_THROTTLED",
    fault: "throttled",
    hint: "A quota, rate or budget is used up; the queue goes on when it is back.",
    status: [429, 529],
    type: ["budget_exceeded", "throttling_error"],
    text: /usage limit|quota|RESOURCE_EXHAUSTED|rate.?limit|budget has been exceeded|overloaded/i,
  },
  {
    code: "MODEL_NOT_ALLOWED",
    fault: "refused",
    hint: "The provider or LiteLLM bars this account from the model: look at its access and payment.",
    status: [402, 403],
    type: ["key_model_access_denied"],
  },
  {
    code: "MODEL_UNAVAILABLE",
    fault: "unavailable",
    hint: "The model's server is down or still loading; the queue goes on when it answers.",
    // 520 to 526 are a proxy's words for a server that it could not reach.
    status: [408, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526],
    text: /connection error|connection refused|cannot connect|loading model|no healthy deployments/i,
  },
];

const NO_ANSWER = {
  code: "MODEL_UNREACHABLE",
  fault: "unavailable",
  hint: "LiteLLM does not answer: `scripts/status` shows whether it runs.",
} as const;

const OTHERWISE = {
  code: "MODEL_FAILED",
  fault: "failed",
  hint: "The attempt counts; it is tried again after a while.",
} as const;

export function classify(failure: HttpFailure): ModelError {
  const { message, retryAfter, callId, cause } = failure;
  const { code, fault, hint } = rowOf(failure);
  return new ModelError(firstLine(message), { code, fault, hint, retryAfter, callId, cause });
}

function rowOf(failure: HttpFailure): Pick<Row, "code" | "fault" | "hint"> {
  const { status, message, type, code } = failure;
  if (status === undefined) return NO_ANSWER;
  const fits = (row: Row): boolean =>
    row.status?.includes(status) === true ||
    row.type?.some((known) => known === type || known === code) === true ||
    row.text?.test(message) === true;
  return ROWS.find(fits) ?? OTHERWISE;
}

/** LiteLLM appends its routing to the message; the first line says what happened. */
function firstLine(message: string): string {
  return message.trim().split("\n")[0]?.slice(0, 500) || "no message";
}
