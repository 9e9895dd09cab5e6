// The sentences are those that LiteLLM and its providers were seen to send.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { classify, type HttpFailure } from "./classify.ts";
import type { ModelFault } from "./model-error.ts";

const seen: [what: string, failure: HttpFailure, code: string, fault: ModelFault][] = [
  [
    "LiteLLM that is not there",
    { status: undefined, message: "Connection error." },
    "MODEL_UNREACHABLE",
    "unavailable",
  ],
  [
    "a model server that is not there",
    {
      status: 500,
      message:
        "litellm.InternalServerError: InternalServerError: OpenAIException - Connection error.. Received Model Group=local-small",
    },
    "MODEL_UNAVAILABLE",
    "unavailable",
  ],
  [
    "a model that is being loaded",
    { status: 503, message: "litellm.ServiceUnavailableError: OpenAIException - Loading model" },
    "MODEL_UNAVAILABLE",
    "unavailable",
  ],
  [
    "LiteLLM's database being down",
    { status: 503, type: "no_db_connection", message: "Service Unavailable" },
    "MODEL_UNAVAILABLE",
    "unavailable",
  ],
  [
    "a provider's rate limit",
    { status: 429, type: "throttling_error", message: "litellm.RateLimitError: slow down" },
    "MODEL_THROTTLED",
    "throttled",
  ],
  [
    "a weekly limit that is told as 403",
    {
      status: 403,
      type: "permission_error",
      message:
        "litellm.PermissionDeniedError: OpenAIException - You've reached your weekly (7-day) usage limit.",
    },
    "MODEL_THROTTLED",
    "throttled",
  ],
  [
    "LiteLLM's budget of the key",
    { status: 422, type: "budget_exceeded", message: "Budget has been exceeded! Current cost: 2" },
    "MODEL_THROTTLED",
    "throttled",
  ],
  [
    "an unknown model",
    { status: 400, message: "/chat/completions: Invalid model name passed in model=quota-9" },
    "MODEL_UNKNOWN",
    "refused",
  ],
  [
    "a wrong key without a database",
    { status: 400, type: "no_db_connection", message: "No connected db." },
    "MODEL_KEY_REFUSED",
    "refused",
  ],
  [
    "a wrong key",
    { status: 401, type: "token_not_found_in_db", message: "Authentication Error" },
    "MODEL_KEY_REFUSED",
    "refused",
  ],
  [
    "a suspended account, whatever it says of quotas",
    { status: 429, message: "Your account is suspended, please check your quota and billing" },
    "MODEL_NOT_ALLOWED",
    "refused",
  ],
  [
    "a model that the key may not use",
    { status: 403, type: "key_model_access_denied", message: "key not allowed to access model" },
    "MODEL_NOT_ALLOWED",
    "refused",
  ],
  [
    "a prompt longer than the context",
    {
      status: 400,
      message:
        "litellm.ContextWindowExceededError: the request (9000 tokens) exceeds the available context size (8192 tokens)",
    },
    "MODEL_TASK_TOO_LONG",
    "bad-task",
  ],
  [
    "a prompt that the provider refuses",
    { status: 400, message: "litellm.ContentPolicyViolationError: OpenAIException - no" },
    "MODEL_TASK_REFUSED",
    "bad-task",
  ],
  [
    "a server error without more",
    { status: 500, message: "Internal Server Error" },
    "MODEL_FAILED",
    "failed",
  ],
  ["a bad parameter", { status: 400, message: "top_p must be <= 1" }, "MODEL_FAILED", "failed"],
];

describe("what an error of LiteLLM means", () => {
  for (const [what, failure, code, fault] of seen) {
    test(`${what}: ${fault}`, () => {
      const error = classify(failure);
      assert.deepEqual([error.code, error.fault], [code, fault]);
      assert.ok(error.hint);
    });
  }

  test("only the first line of the message is kept: LiteLLM appends its routing", () => {
    const message = "it broke\nReceived Model Group=a\nAvailable Model Group Fallbacks=None";
    assert.equal(classify({ status: 500, message }).message, "it broke");
  });

  test("every status between 400 and 599 has a meaning", () => {
    for (let status = 400; status < 600; status += 1) {
      assert.match(classify({ status, message: "" }).code, /^MODEL_[A-Z_]+$/);
    }
  });
});
