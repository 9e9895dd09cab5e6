// Calls to a scripted stand-in for LiteLLM: what comes back, and that every fault has its own name.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { type Clock, systemClock } from "@agap/kb-client";
import { VirtualClock } from "@agap/kb-client/memory";
import { chat, type ChatRequest, ModelError } from "@agap/model-plane";
import {
  beginStream,
  endStream,
  type Script,
  ScriptedModel,
  sendError,
  sendEvent,
  sendJson,
  sendPiece,
  streamWords,
} from "../harness/scripted-model.ts";

const request: ChatRequest = {
  model: "local-small",
  system: "You help.",
  prompt: "Say hello.",
  maxTokens: 64,
  deadline: 60_000,
  firstToken: 20_000,
  idle: 10_000,
  maxAnswerBytes: 100_000,
  tags: ["task:7"],
};

describe("a call to a model", () => {
  const models: ScriptedModel[] = [];
  after(async () => {
    await Promise.all(models.map((model) => model.stop()));
  });

  async function start(script?: Script): Promise<ScriptedModel> {
    const model = await ScriptedModel.start();
    models.push(model);
    if (script) model.script = script;
    return model;
  }

  function ask(
    model: ScriptedModel,
    options: { signal?: AbortSignal; clock?: Clock; with?: Partial<ChatRequest> } = {},
  ): ReturnType<typeof chat> {
    const door = { url: model.url, key: "sk-test" };
    const ports = { clock: options.clock ?? systemClock };
    return chat(door, { ...request, ...options.with }, ports, options.signal);
  }

  async function faultOf(answer: Promise<unknown>): Promise<ModelError> {
    try {
      await answer;
    } catch (error) {
      if (error instanceof ModelError) return error;
      throw error;
    }
    throw new assert.AssertionError({ message: "the call should have failed" });
  }

  test("returns the text with LiteLLM's ids and the usage", async () => {
    const model = await start();
    assert.deepEqual(await ask(model), {
      text: "Hello there.",
      reasoning: "",
      usage: { prompt: 153, completion: 42 },
      callId: "call-1",
      modelId: "dep-1",
      model: "local-small",
      finishReason: "stop",
    });
  });

  test("asks for a stream with usage, no retries, no fallbacks, and names the task", async () => {
    const model = await start();
    await ask(model);
    const [call] = model.calls;
    assert.equal(call?.path, "/v1/chat/completions");
    assert.equal(call.headers.authorization, "Bearer sk-test");
    assert.equal(call.headers["x-litellm-num-retries"], "0");
    assert.equal(call.headers["openai-organization"], undefined);
    assert.deepEqual(call.body, {
      model: "local-small",
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: "Say hello." },
      ],
      max_tokens: 64,
      stream: true,
      stream_options: { include_usage: true },
      disable_fallbacks: true,
      metadata: { tags: ["task:7"] },
    });
  });

  test("keeps what a model thinks apart from what it says", async () => {
    const model = await start((call) => {
      beginStream(call);
      sendPiece(call, { reasoning_content: "Let me think." });
      sendPiece(call, { content: "Yes." }, "stop");
      endStream(call, [1, 2]);
    });
    const { text, reasoning } = await ask(model);
    assert.deepEqual({ text, reasoning }, { text: "Yes.", reasoning: "Let me think." });
  });

  test("aborting closes the connection, so that the model stops, and throws the reason", async () => {
    const model = await start((call) => {
      beginStream(call);
      sendPiece(call, { content: "Once upon a time" });
    });
    const stop = new AbortController();
    const answer = ask(model, { signal: stop.signal });
    const call = await model.arrival();
    const reason = new Error("the lease is lost");
    stop.abort(reason);
    await assert.rejects(answer, (error) => error === reason);
    await call.closed;
    assert.ok(call.wasCut);
  });

  test("an aborted signal sends nothing", async () => {
    const model = await start();
    const signal = AbortSignal.abort(new Error("too late"));
    await assert.rejects(ask(model, { signal }), /too late/);
    assert.equal(model.calls.length, 0);
  });

  test("an answer that grows too large is stopped at the limit", async () => {
    const model = await start(async (call) => {
      beginStream(call);
      const content = "x".repeat(10_000);
      // 10 MB if nobody stopped it.
      for (let i = 0; i < 1000 && !call.wasCut; i += 1) {
        sendPiece(call, { content });
        if (call.answer.writableNeedDrain) {
          await Promise.race([
            new Promise((resolve) => call.answer.once("drain", resolve)),
            call.closed,
          ]);
        }
      }
    });
    const { code, fault } = await faultOf(ask(model));
    assert.deepEqual({ code, fault }, { code: "MODEL_ANSWER_TOO_LARGE", fault: "failed" });
    await model.calls[0]?.closed;
    assert.ok(model.calls[0]?.wasCut, "the connection was closed");
  });

  test("a line without an end is stopped before it fills the memory", async () => {
    const model = await start(async (call) => {
      beginStream(call);
      call.answer.write("data: ");
      while (!call.wasCut) {
        if (call.answer.write("y".repeat(65_536))) continue;
        await Promise.race([
          new Promise((resolve) => call.answer.once("drain", resolve)),
          call.closed,
        ]);
      }
    });
    assert.equal((await faultOf(ask(model))).code, "MODEL_ANSWER_TOO_LARGE");
    await model.calls[0]?.closed;
  });

  const faults: [what: string, script: Script, code: string, fault: string][] = [
    [
      "an error in the middle of the stream",
      (call) => {
        beginStream(call);
        sendPiece(call, { content: "Once" });
        sendEvent(call.answer, { error: { message: "Connection error.", code: "500" } });
        call.answer.end();
      },
      "MODEL_CUT_OFF",
      "failed",
    ],
    [
      "the same error before any text",
      (call) => {
        beginStream(call);
        sendEvent(call.answer, { error: { message: "Connection error.", code: "500" } });
        call.answer.end();
      },
      "MODEL_UNAVAILABLE",
      "unavailable",
    ],
    [
      "a connection that is cut in the middle",
      (call) => {
        beginStream(call);
        sendPiece(call, { content: "Once" });
        // What was written goes out, the end of it never does.
        call.answer.socket?.end();
      },
      "MODEL_CUT_OFF",
      "failed",
    ],
    [
      "a stream that ends without a finish reason",
      (call) => {
        beginStream(call);
        sendPiece(call, { content: "Once" });
        call.answer.end();
      },
      "MODEL_CUT_OFF",
      "failed",
    ],
    ["an empty answer", (call) => streamWords(call, [" ", "\n"]), "MODEL_EMPTY_ANSWER", "failed"],
    [
      "an answer that the provider's filter stopped",
      (call) => {
        beginStream(call);
        sendPiece(call, { content: "I" }, "content_filter");
        endStream(call, [1, 1]);
      },
      "MODEL_TASK_REFUSED",
      "bad-task",
    ],
    [
      "a piece of a shape that no server should send",
      (call) => {
        beginStream(call);
        sendPiece(call, { content: { not: "a text" } });
        call.answer.end();
      },
      "MODEL_FAILED",
      "failed",
    ],
    [
      "no JSON in the stream",
      (call) => {
        beginStream(call);
        call.answer.end("data: <html>\n\n");
      },
      "MODEL_CUT_OFF",
      "failed",
    ],
    [
      "a whole answer instead of a stream",
      (call) => sendJson(call, 200, { choices: [{ message: { content: "Hello" } }] }),
      "MODEL_NOT_STREAMED",
      "refused",
    ],
    [
      "a fallback inside LiteLLM",
      (call) => {
        beginStream(call, { "x-litellm-attempted-fallbacks": "1" });
        sendPiece(call, { content: "Hello" }, "stop");
        endStream(call, [1, 1]);
      },
      "MODEL_REROUTED",
      "refused",
    ],
    [
      "an answer that is no JSON",
      (call) => {
        call.answer.writeHead(500, { "content-type": "text/plain" });
        call.answer.end("Internal Server Error");
      },
      "MODEL_FAILED",
      "failed",
    ],
  ];
  for (const [what, script, code, fault] of faults) {
    test(`${what}: ${code}, ${fault}`, async () => {
      const error = await faultOf(ask(await start(script)));
      assert.deepEqual([error.code, error.fault], [code, fault], error.message);
    });
  }

  test("nobody listens: MODEL_UNREACHABLE", async () => {
    const model = await ScriptedModel.start();
    const { url } = model;
    await model.stop();
    const answer = chat({ url, key: "k" }, request, { clock: systemClock });
    assert.equal((await faultOf(answer)).code, "MODEL_UNREACHABLE");
  });

  test("a failing call reaches the model once and says when to try again", async () => {
    const model = await start((call) => sendError(call, 429, "slow down", { "retry-after": "17" }));
    const { code, retryAfter } = await faultOf(ask(model));
    assert.deepEqual({ code, retryAfter }, { code: "MODEL_THROTTLED", retryAfter: 17 });
    assert.equal(model.calls.length, 1);
  });

  describe("that takes too long", () => {
    /** Lets the script run until it has sent everything, then moves the clock. */
    async function late(script: Script, ms: number, limits: Partial<ChatRequest> = {}) {
      const clock = new VirtualClock();
      const model = await start();
      const sent = new Promise<void>((resolve) => {
        model.script = async (call) => {
          await script(call);
          resolve();
        };
      });
      const answer = faultOf(ask(model, { clock, with: limits }));
      await sent;
      const over = answer.then(() => true);
      // What was sent is on its way through real sockets: time passes only while it has not arrived.
      while (!(await Promise.race([over, clock.advance(ms).then(() => false)])));
      const error = await answer;
      await model.calls[0]?.closed;
      assert.ok(model.calls[0]?.wasCut, "the connection was closed");
      return error;
    }

    test("before its first token: the model is taken for absent", async () => {
      const error = await late(() => undefined, 20_000);
      assert.deepEqual([error.code, error.fault], ["MODEL_NO_FIRST_TOKEN", "unavailable"]);
    });

    test("after empty pieces only: they are no token", async () => {
      const error = await late((call) => {
        beginStream(call);
        sendPiece(call, { role: "assistant", content: "" });
      }, 20_000);
      assert.equal(error.code, "MODEL_NO_FIRST_TOKEN");
    });
  });

  test("a stream that stalls is ended after the idle time, with the attempt counted", async () => {
    const model = await start((call) => {
      beginStream(call);
      sendPiece(call, { content: "Once" });
    });
    const error = await faultOf(ask(model, { with: { idle: 50 } }));
    assert.deepEqual([error.code, error.fault], ["MODEL_STALLED", "failed"]);
    await model.calls[0]?.closed;
  });

  test("a stream that never ends is ended at the deadline", async () => {
    const model = await start(async (call) => {
      beginStream(call);
      while (!call.wasCut) {
        sendPiece(call, { content: "." });
        await systemClock.sleep(5);
      }
    });
    const error = await faultOf(ask(model, { with: { deadline: 100 } }));
    assert.deepEqual([error.code, error.fault], ["MODEL_DEADLINE", "failed"]);
  });
});
