// The model plane through a real LiteLLM with the settings of scripts/up; what stands behind it is scripted, because a
// real model can't be told to fail.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { systemClock } from "@agap/kb-client";
import { chat, type ChatRequest, ModelError, probe } from "@agap/model-plane";
import { startLitellm, type TestLitellm, whyNoLitellm } from "../harness/litellm.ts";
import {
  beginStream,
  type Script,
  ScriptedModel,
  sendError,
  sendPiece,
  streamWords,
} from "../harness/scripted-model.ts";

const skip = whyNoLitellm();
const ports = { clock: systemClock };
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

describe("a call through a real LiteLLM", { skip }, () => {
  let made: Promise<{ upstream: ScriptedModel; litellm: TestLitellm }> | undefined;
  const setup = () => (made ??= create());
  after(async () => {
    const running = await made;
    await running?.litellm.stop();
    await running?.upstream.stop();
  });

  async function create() {
    const upstream = await ScriptedModel.start();
    const litellm = await startLitellm({
      "local-small": { url: upstream.url, contextTokens: 2000 },
      // The discard port: nobody listens.
      absent: { url: "http://127.0.0.1:9" },
    });
    return { upstream, litellm };
  }

  test("returns LiteLLM's call id and deployment with the answer", async () => {
    const { upstream, litellm } = await setup();
    upstream.script = (call) => streamWords(call, ["Hello", " there."]);
    const answer = await chat(litellm, request, ports);
    assert.equal(answer.text, "Hello there.");
    assert.match(answer.callId ?? "", /^[0-9a-f-]{36}$/);
    assert.equal(answer.modelId, "dep-local-small");
    assert.deepEqual(answer.usage, { prompt: 153, completion: 42 });
    const sent = Object.keys(upstream.calls.at(-1)?.body ?? {});
    assert.ok(!sent.includes("metadata") && !sent.includes("disable_fallbacks"), sent.join());
  });

  test("aborting stops the model behind LiteLLM", async () => {
    const { upstream, litellm } = await setup();
    const begun = new Promise<void>((resolve) => {
      upstream.script = (call) => {
        beginStream(call);
        sendPiece(call, { content: "Once" });
        resolve();
      };
    });
    const stop = new AbortController();
    const answer = chat(litellm, request, ports, stop.signal);
    await begun;
    stop.abort(new Error("the lease is lost"));
    await assert.rejects(answer, /the lease is lost/);
    const call = upstream.calls.at(-1);
    await call?.closed;
    assert.ok(call?.wasCut);
  });

  const faults: [
    what: string,
    script: Script | null,
    change: Partial<ChatRequest>,
    code: string,
    fault: string,
  ][] = [
    ["a model that nobody serves", null, { model: "absent" }, "MODEL_UNAVAILABLE", "unavailable"],
    ["a model that LiteLLM does not know", null, { model: "x" }, "MODEL_UNKNOWN", "refused"],
    [
      "a prompt longer than the model's context",
      null,
      { prompt: "word ".repeat(200_000) },
      "MODEL_TASK_TOO_LONG",
      "bad-task",
    ],
    [
      "a model that is being loaded",
      (call) => sendError(call, 503, "Loading model"),
      {},
      "MODEL_UNAVAILABLE",
      "unavailable",
    ],
    [
      "a window that is spent",
      (call) => sendError(call, 403, "You've reached your 5-hour usage limit."),
      {},
      "MODEL_THROTTLED",
      "throttled",
    ],
    [
      "a provider that refuses LiteLLM's key",
      (call) => sendError(call, 401, "bad key"),
      {},
      "MODEL_KEY_REFUSED",
      "refused",
    ],
    [
      "a model server that fails",
      (call) => sendError(call, 500, "boom"),
      {},
      "MODEL_FAILED",
      "failed",
    ],
    [
      "a model server that dies in the middle of its answer",
      (call) => {
        beginStream(call);
        sendPiece(call, { content: "Once" });
        sendPiece(call, { content: " upon" });
        call.answer.socket?.end();
      },
      {},
      "MODEL_CUT_OFF",
      "failed",
    ],
    ["an empty answer", (call) => streamWords(call, []), {}, "MODEL_EMPTY_ANSWER", "failed"],
  ];
  for (const [what, script, change, code, fault] of faults) {
    test(`${what}: ${code}, ${fault}, and the model is asked at most once`, async () => {
      const { upstream, litellm } = await setup();
      if (script) upstream.script = script;
      const before = upstream.calls.length;
      await assert.rejects(chat(litellm, { ...request, ...change }, ports), (error) => {
        assert.ok(error instanceof ModelError);
        assert.deepEqual([error.code, error.fault], [code, fault], error.message);
        return true;
      });
      assert.equal(upstream.calls.length - before, script === null ? 0 : 1);
    });
  }

  test("a provider's retry-after comes through", async () => {
    const { upstream, litellm } = await setup();
    upstream.script = (call) => sendError(call, 429, "slow down", { "retry-after": "17" });
    await assert.rejects(chat(litellm, request, ports), {
      code: "MODEL_THROTTLED",
      retryAfter: 17,
    });
  });

  test("a wrong key is refused, by a call and by a look", async () => {
    const { litellm } = await setup();
    const door = { url: litellm.url, key: "sk-wrong" };
    await assert.rejects(chat(door, request, ports), { code: "MODEL_KEY_REFUSED" });
    assert.equal((await probe(door, "local-small", ports))?.code, "MODEL_KEY_REFUSED");
  });

  test("a look finds a listed model and misses another, without a completion", async () => {
    const { upstream, litellm } = await setup();
    const before = upstream.calls.length;
    assert.equal(await probe(litellm, "local-small", ports), null);
    assert.equal((await probe(litellm, "x", ports))?.code, "MODEL_UNKNOWN");
    assert.equal(upstream.calls.length, before);
  });
});
