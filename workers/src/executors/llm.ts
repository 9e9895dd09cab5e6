// Answers a card by one call to a model through LiteLLM.
import type { Clock } from "@agap/kb-client";
import {
  chat,
  type ChatAnswer,
  type ChatRequest,
  type ModelDoor,
  ModelError,
  probe,
} from "@agap/model-plane";
import type { Executor, ExecutorOutcome, Obstacle, TaskInput } from "../executor.ts";
import { promptOf } from "../prompt.ts";
import { inThread } from "./in-thread.ts";

export interface LlmSettings extends Omit<ChatRequest, "prompt" | "tags"> {
  door: ModelDoor;
}

/** Calls the model in a thread of its own; looks at LiteLLM from the main one. */
export function llm(settings: LlmSettings, ports: { clock: Clock }): Executor {
  const script = new URL("./llm-thread.ts", import.meta.url);
  return {
    look: async (signal) => {
      const error = await probe(settings.door, settings.model, ports, signal);
      return error && obstacleOf(error);
    },
    run: inThread(script, settings, ports).run,
  };
}

/** @throws the signal's reason when it aborts */
export async function answer(
  settings: LlmSettings,
  input: TaskInput,
  ports: { clock: Clock },
  signal: AbortSignal,
): Promise<ExecutorOutcome> {
  const { door, ...request } = settings;
  const tags = [`queue:${input.queue}`, `task:${input.taskId}`, `epoch:${input.epoch}`];
  try {
    const answered = await chat(door, { ...request, prompt: promptOf(input), tags }, ports, signal);
    return { kind: "done", result: resultOf(settings.model, answered) };
  } catch (error) {
    if (error instanceof ModelError) return outcomeOf(error);
    throw error;
  }
}

/** The last paragraph names the call, so that a card leads to LiteLLM's own record of it. */
export function resultOf(model: string, answer: ChatAnswer): string {
  const { text, callId, usage, finishReason } = answer;
  const call = [`model ${model}`];
  if (callId !== null) call.push(`call ${callId}`);
  if (usage !== null) call.push(`${usage.prompt}+${usage.completion} tokens`);
  if (finishReason === "length") call.push("cut off at the token limit");
  return `${text.trim()}\n\n_${call.join(" · ")}_`;
}

export function outcomeOf(error: ModelError): ExecutorOutcome {
  const obstacle = obstacleOf(error);
  switch (error.fault) {
    case "unavailable":
    case "throttled":
    case "refused":
      return { kind: "unavailable", ...obstacle };
    case "bad-task":
      return { kind: "question", reason: obstacle.reason };
    case "failed":
      return { kind: "failed", reason: obstacle.reason };
  }
}

function obstacleOf({ code, message, hint, retryAfter, callId }: ModelError): Obstacle {
  const call = callId === null ? "" : ` (call ${callId})`;
  const reason = `${code}: ${message.replace(/[.\s]+$/, "")}${call}. ${hint ?? ""}`.trim();
  return { code, reason, seconds: retryAfter };
}
