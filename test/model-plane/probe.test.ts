// What can be known of the model before a task is claimed, from a scripted stand-in for LiteLLM.
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { systemClock } from "@agap/kb-client";
import { probe } from "@agap/model-plane";
import { ScriptedModel } from "../harness/scripted-model.ts";

describe("looking at the model without calling it", () => {
  const running: ScriptedModel[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((model) => model.stop()));
  });

  async function look(
    model: string,
    models: string[],
  ): Promise<[string | undefined, ScriptedModel]> {
    const server = await ScriptedModel.start();
    running.push(server);
    server.models = models;
    const found = await probe({ url: server.url, key: "k" }, model, { clock: systemClock });
    return [found?.code, server];
  }

  test("finds nothing in the way of a listed model, and makes no completion", async () => {
    const [code, server] = await look("local-small", ["local-small", "other"]);
    assert.equal(code, undefined);
    assert.equal(server.calls.length, 0);
  });

  test("says which models there are when the wanted one is missing", async () => {
    assert.equal((await look("local-smal", ["local-small"]))[0], "MODEL_UNKNOWN");
  });

  test("a wildcard may serve what it does not list", async () => {
    assert.equal((await look("gpt-9", ["*"]))[0], undefined);
    assert.equal((await look("openai/gpt-9", ["openai/gpt-8"]))[0], undefined);
  });

  test("LiteLLM that is not there is unreachable", async () => {
    const server = await ScriptedModel.start();
    const { url } = server;
    await server.stop();
    const found = await probe({ url, key: "k" }, "local-small", { clock: systemClock });
    assert.deepEqual([found?.code, found?.fault], ["MODEL_UNREACHABLE", "unavailable"]);
  });
});
