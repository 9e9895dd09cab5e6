// Answers a card by one call to a model through LiteLLM.
import type { Clock } from "@agap/kb-client";
import { chat, type ChatAnswer, type ModelDoor, ModelError } from "@agap/model-plane";
import type { Executor, ExecutorOutcome } from "../executor.ts";
import { promptOf } from "../prompt.ts";

export interface LlmSettings {
  door: ModelDoor;
  model: string;
  system: string;
  maxTokens: number;
  deadline: number;
  firstToken: number;
  idle: number;
  maxAnswerBytes: number;
  /** Shown in LiteLLM's records. */
  queue: string;
}

export function llm(settings: LlmSettings, ports: { clock: Clock }): Executor {
  const { door, queue, ...request } = settings;
  return {
    async run(work, signal) {
      const tags = [`queue:${queue}`, `task:${work.task.id}`, `epoch:${work.epoch}`];
      try {
        const answer = await chat(
          door,
          { ...request, prompt: promptOf(work), tags },
          ports,
          signal,
        );
        return { kind: "done", result: resultOf(settings.model, answer) };
      } catch (error) {
        if (error instanceof ModelError) return outcomeOf(error);
        throw error;
      }
    },
  };
}

/** The last paragraph names the call, so that a card leads to LiteLLM's own record of it. */
function resultOf(model: string, answer: ChatAnswer): string {
  const usage = answer.usage ? ` · ${answer.usage.prompt}+${answer.usage.completion} tokens` : "";
  const cut = answer.finishReason === "length" ? " · cut off at the token limit" : "";
  return `${answer.text.trim()}\n\n_model ${model} · call ${answer.callId ?? "unknown"}${usage}${cut}_`;
}

function outcomeOf(error: ModelError): ExecutorOutcome {
  const reason = `${error.message}. ${error.hint ?? ""}`.trim();
  const { code } = error;
  switch (error.fault) {
    case "unavailable":
    case "throttled":
      return { kind: "unavailable", reason, code, seconds: error.retryAfter };
    case "refused":
      return { kind: "misconfigured", reason, code };
    case "bad-task":
      return { kind: "question", reason };
    case "failed":
      return { kind: "failed", reason: `${code}: ${reason}` };
  }
}
