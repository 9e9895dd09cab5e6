// One call to a model through LiteLLM: streamed, because aborting a call that is not does not stop the upstream.
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from "openai";
import type { Clock } from "@agap/kb-client";
import { classify, ModelError } from "./model-error.ts";

export interface ChatRequest {
  model: string;
  system: string;
  prompt: string;
  maxTokens: number;
  /** Milliseconds: the whole call, until the first token, between two tokens. */
  deadline: number;
  firstToken: number;
  idle: number;
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
  deployment: string | null;
  finishReason: string | null;
}

export interface ModelDoor {
  /** Base address of LiteLLM. */
  url: string;
  key: string;
}

/** @throws ModelError; the signal's reason when it aborts */
export async function chat(
  door: ModelDoor,
  request: ChatRequest,
  ports: { clock: Clock },
  signal?: AbortSignal,
): Promise<ChatAnswer> {
  const client = new OpenAI({
    baseURL: `${door.url.replace(/\/$/, "")}/v1`,
    apiKey: door.key,
    maxRetries: 0,
  });
  const watch = new Watch(ports.clock, request, signal);
  try {
    return await stream(client, request, watch);
  } catch (error) {
    signal?.throwIfAborted();
    if (watch.expired) throw watch.expired;
    throw toModelError(error);
  } finally {
    watch.stop();
  }
}

async function stream(client: OpenAI, request: ChatRequest, watch: Watch): Promise<ChatAnswer> {
  const { data, response } = await client.chat.completions
    .create(
      {
        model: request.model,
        messages: [
          { role: "system", content: request.system },
          { role: "user", content: request.prompt },
        ],
        max_tokens: request.maxTokens,
        stream: true,
        stream_options: { include_usage: true },
        ...(request.tags ? { metadata: { tags: request.tags.join(",") } } : {}),
      },
      { signal: watch.signal },
    )
    .withResponse();
  const { headers } = response;
  assertNotRerouted(headers);
  const answer: ChatAnswer = {
    text: "",
    reasoning: "",
    usage: null,
    callId: headers.get("x-litellm-call-id"),
    deployment: headers.get("x-litellm-model-id"),
    finishReason: null,
  };
  let bytes = 0;
  for await (const chunk of data) {
    watch.heard();
    if (chunk.usage) {
      answer.usage = {
        prompt: chunk.usage.prompt_tokens,
        completion: chunk.usage.completion_tokens,
      };
    }
    const choice = chunk.choices[0];
    if (!choice) continue;
    const delta = choice.delta as { content?: string | null; reasoning_content?: string | null };
    answer.text += delta.content ?? "";
    answer.reasoning += delta.reasoning_content ?? "";
    answer.finishReason = choice.finish_reason ?? answer.finishReason;
    bytes +=
      Buffer.byteLength(delta.content ?? "") + Buffer.byteLength(delta.reasoning_content ?? "");
    if (bytes > request.maxAnswerBytes) throw tooLarge(request.maxAnswerBytes);
  }
  if (answer.finishReason === null) {
    throw new ModelError("the answer broke off in the middle", {
      code: "MODEL_CUT_OFF",
      fault: "failed",
      hint: "The attempt counts; it is tried again after a while.",
    });
  }
  if (answer.text.trim() === "") {
    throw new ModelError("the model answered with nothing", {
      code: "MODEL_EMPTY_ANSWER",
      fault: "failed",
      hint: "The attempt counts. Reword the card, or raise `executor.maxTokens` for a model that thinks first.",
    });
  }
  return answer;
}

/** A retry or a fallback inside LiteLLM would be another model than the card's, without anybody's decision. */
function assertNotRerouted(headers: Headers): void {
  for (const name of ["x-litellm-attempted-retries", "x-litellm-attempted-fallbacks"]) {
    const value = headers.get(name);
    if (value === null || Number(value) === 0) continue;
    throw new ModelError(`LiteLLM says ${name}: ${value}`, {
      code: "MODEL_REROUTED",
      fault: "refused",
      hint: "Set num_retries to 0 and remove fallbacks in LiteLLM's configuration: the fabric owns both.",
    });
  }
}

function tooLarge(limit: number): ModelError {
  return new ModelError(`the answer is larger than ${limit} bytes`, {
    code: "MODEL_ANSWER_TOO_LARGE",
    fault: "failed",
    hint: "The call was stopped; the attempt counts. Lower `executor.maxTokens` or raise `maxAnswerBytes`.",
  });
}

function toModelError(error: unknown): unknown {
  if (error instanceof ModelError || error instanceof APIUserAbortError) return error;
  if (error instanceof APIConnectionError) {
    return classify({ status: undefined, message: error.message, cause: error });
  }
  if (error instanceof APIError) {
    const after = Number(
      error.headers?.get("retry-after") ?? error.headers?.get("llm_provider-retry-after"),
    );
    const retryAfter = Number.isFinite(after) && after > 0 ? after : undefined;
    // An error in the middle of a stream has no status: the 200 had gone out already.
    const status = error.status ?? 500;
    return classify({ status, message: error.message, retryAfter, cause: error });
  }
  // A socket that closes while chunks are read is an error of fetch, not of the client.
  return new ModelError(`the connection broke in the middle of the answer: ${String(error)}`, {
    code: "MODEL_CUT_OFF",
    fault: "failed",
    hint: "The attempt counts; it is tried again after a while.",
    cause: error,
  });
}

/** Ends a call that takes too long, by the caller's clock. */
class Watch {
  readonly #clock: Clock;
  readonly #request: ChatRequest;
  readonly #abort = new AbortController();
  readonly #ended = new AbortController();
  readonly signal: AbortSignal;
  expired: ModelError | undefined;
  #lastHeard: number | undefined;

  constructor(clock: Clock, request: ChatRequest, outer: AbortSignal | undefined) {
    this.#clock = clock;
    this.#request = request;
    this.signal = outer ? AbortSignal.any([outer, this.#abort.signal]) : this.#abort.signal;
    void this.#run();
  }

  heard(): void {
    this.#lastHeard = this.#clock.monotonic();
  }

  stop(): void {
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    const started = this.#clock.monotonic();
    const { deadline, firstToken, idle } = this.#request;
    for (;;) {
      const limit = this.#lastHeard === undefined ? started + firstToken : this.#lastHeard + idle;
      const until = Math.min(limit, started + deadline);
      const left = until - this.#clock.monotonic();
      if (left <= 0) return this.#expire(started + deadline <= limit);
      try {
        await this.#clock.sleep(left, this.#ended.signal);
      } catch {
        return;
      }
    }
  }

  #expire(deadline: boolean): void {
    const first = this.#lastHeard === undefined;
    this.expired = new ModelError(
      deadline
        ? "the call took longer than its deadline"
        : first
          ? "the model did not begin to answer in time"
          : "the model stopped in the middle of its answer",
      {
        code: first ? "MODEL_NO_FIRST_TOKEN" : deadline ? "MODEL_DEADLINE" : "MODEL_STALLED",
        fault: first ? "unavailable" : "failed",
        hint: first
          ? "The queue goes on when the model answers; raise `executor.firstToken` for one that loads slowly."
          : "The attempt counts; raise `executor.deadline` or `executor.idle` if the model is simply slow.",
      },
    );
    this.#abort.abort(this.expired);
  }
}
