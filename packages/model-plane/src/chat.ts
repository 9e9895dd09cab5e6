// One call to a model through LiteLLM: streamed, because aborting a call that is not does not stop the upstream.
import type OpenAI from "openai";
import type { Clock } from "@agap/kb-client";
import { type Piece, readChunk } from "./chunk.ts";
import { clientFor, type ModelDoor } from "./door.ts";
import { isStream, tooLarge } from "./limited-fetch.ts";
import { ModelError } from "./model-error.ts";
import { brokenOff, toModelError } from "./openai-error.ts";
import { type TimeLimits, Watch } from "./watch.ts";

export interface ChatRequest extends TimeLimits {
  model: string;
  system: string;
  prompt: string;
  maxTokens: number;
  /** Of text and reasoning together. */
  maxAnswerBytes: number;
  /** Tells LiteLLM's records which task this was. */
  tags?: readonly string[];
}

export interface ChatAnswer {
  text: string;
  /** What a reasoning model thought, kept apart from what it says. */
  reasoning: string;
  usage: { prompt: number; completion: number } | null;
  /** LiteLLM's id of the call. */
  callId: string | null;
  /** LiteLLM's id of the deployment that answered. */
  modelId: string | null;
  /** The model as the answer itself names it. */
  model: string | null;
  /** `length` means that the token limit cut the text off. */
  finishReason: string | null;
}

/**
 * Aborting the signal closes the connection, and with it the model's work.
 * @throws ModelError; the signal's reason when it aborts
 */
export async function chat(
  door: ModelDoor,
  request: ChatRequest,
  ports: { clock: Clock },
  signal?: AbortSignal,
): Promise<ChatAnswer> {
  signal?.throwIfAborted();
  const watch = new Watch(ports.clock, request, signal);
  const answer = emptyAnswer();
  try {
    await receive(door, request, watch, answer);
    // The openai package ends an aborted stream as if it were complete.
    signal?.throwIfAborted();
    if (watch.expired) throw watch.expired;
    assertComplete(answer);
    return answer;
  } catch (error) {
    signal?.throwIfAborted();
    if (watch.expired) throw watch.expired;
    const begun = answer.text !== "" || answer.reasoning !== "";
    throw toModelError(error, { begun, callId: answer.callId, now: ports.clock.now() });
  } finally {
    watch.stop();
  }
}

async function receive(
  door: ModelDoor,
  request: ChatRequest,
  watch: Watch,
  answer: ChatAnswer,
): Promise<void> {
  // One byte of an answer takes up to six in JSON.
  const client = clientFor(door, request.maxAnswerBytes * 6 + 65_536, request.deadline);
  const { data, response } = await client.chat.completions
    .create(bodyOf(request), { signal: watch.signal })
    .withResponse();
  answer.callId = response.headers.get("x-litellm-call-id");
  answer.modelId = response.headers.get("x-litellm-model-id");
  try {
    assertNotRerouted(response.headers);
    assertStreamed(response.headers);
    let bytes = 0;
    for await (const chunk of data) {
      const size = add(readChunk(chunk), answer);
      if (size > 0) watch.heard();
      bytes += size;
      if (bytes > request.maxAnswerBytes) throw tooLarge(request.maxAnswerBytes);
    }
  } finally {
    data.controller.abort();
  }
}

function bodyOf(request: ChatRequest): OpenAI.ChatCompletionCreateParamsStreaming {
  const { model, system, prompt, maxTokens, tags } = request;
  const body = {
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: prompt },
    ],
    max_tokens: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
    // LiteLLM's own fields: a fallback would be another model than the queue's, without anybody's decision.
    disable_fallbacks: true,
    ...(tags ? { metadata: { tags } } : {}),
  };
  return body as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
}

/** Returns how many bytes of the answer it brought. */
function add(piece: Piece, answer: ChatAnswer): number {
  answer.text += piece.text;
  answer.reasoning += piece.reasoning;
  answer.model ??= piece.model;
  answer.usage = piece.usage ?? answer.usage;
  answer.finishReason = piece.finishReason ?? answer.finishReason;
  return Buffer.byteLength(piece.text) + Buffer.byteLength(piece.reasoning);
}

function emptyAnswer(): ChatAnswer {
  return {
    text: "",
    reasoning: "",
    usage: null,
    callId: null,
    modelId: null,
    model: null,
    finishReason: null,
  };
}

/** A retry or a fallback inside LiteLLM is a decision that the fabric takes, not the proxy. */
function assertNotRerouted(headers: Headers): void {
  for (const name of ["x-litellm-attempted-retries", "x-litellm-attempted-fallbacks"]) {
    const value = headers.get(name);
    if (value === null || Number(value) === 0) continue;
    throw new ModelError(`LiteLLM says ${name}: ${value}`, {
      code: "MODEL_REROUTED",
      fault: "refused",
      hint: "Set num_retries to 0 and remove fallbacks in LiteLLM's configuration: the fabric owns both.",
      callId: headers.get("x-litellm-call-id"),
    });
  }
}

function assertStreamed(headers: Headers): void {
  if (isStream(headers)) return;
  throw new ModelError(`the answer is ${headers.get("content-type") ?? "untyped"}, no stream`, {
    code: "MODEL_NOT_STREAMED",
    fault: "refused",
    hint: "LITELLM_URL must point at LiteLLM itself, with nothing between that turns streams into whole answers.",
  });
}

function assertComplete(answer: ChatAnswer): void {
  const { callId, finishReason } = answer;
  if (finishReason === null) throw brokenOff("the answer broke off in the middle", callId);
  if (finishReason === "content_filter") {
    throw new ModelError("the provider's filter stopped the answer", {
      code: "MODEL_TASK_REFUSED",
      fault: "bad-task",
      hint: "The provider refuses this text: change it, or do it yourself.",
      callId,
    });
  }
  if (answer.text.trim() === "") {
    throw new ModelError("the model answered with nothing", {
      code: "MODEL_EMPTY_ANSWER",
      fault: "failed",
      hint: "The attempt counts. Reword the card, or raise `executor.maxTokens` for a model that thinks first.",
      callId,
    });
  }
}
