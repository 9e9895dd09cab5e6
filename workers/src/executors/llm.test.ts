// What becomes of a model's answers and errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatAnswer, classify } from "@agap/model-plane";
import { outcomeOf, resultOf } from "./llm.ts";

const answer: ChatAnswer = {
  text: " Three uses.\n",
  reasoning: "hm",
  usage: { prompt: 153, completion: 42 },
  callId: "0c2f",
  modelId: "dep-1",
  model: "local-small",
  finishReason: "stop",
};

test("the result is the answer and, as its last paragraph, the call", () => {
  assert.equal(
    resultOf("local-small", answer),
    "Three uses.\n\n_model local-small · call 0c2f · 153+42 tokens_",
  );
});

test("an answer that was cut off at the limit says so, and nothing is made up", () => {
  const cut = { ...answer, usage: null, callId: null, finishReason: "length" };
  assert.match(resultOf("m", cut), /\n\n_model m · cut off at the token limit_$/);
});

test("each kind of fault has its own outcome, with code, call and hint", () => {
  const of = (status: number | undefined, message: string) =>
    outcomeOf(classify({ status, message, retryAfter: 9, callId: "0c2f" }));
  assert.equal(of(undefined, "x").kind, "unavailable");
  assert.equal(of(400, "Invalid model name passed in model=x").kind, "unavailable");
  assert.equal(of(400, "ContextWindowExceededError").kind, "question");
  assert.equal(of(500, "boom").kind, "failed");
  assert.deepEqual(of(429, "slow down."), {
    kind: "unavailable",
    code: "MODEL_THROTTLED",
    reason:
      "MODEL_THROTTLED: slow down (call 0c2f). A quota, rate or budget is used up; the queue goes on when it is back.",
    seconds: 9,
  });
});
