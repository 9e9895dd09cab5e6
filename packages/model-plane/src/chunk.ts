// One piece of a streamed answer as the fabric reads it; whatever else a provider adds is left alone.
import { z } from "zod";
import { ModelError } from "./model-error.ts";

const chunk = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        delta: z
          .object({ content: z.string().nullish(), reasoning_content: z.string().nullish() })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

export interface Piece {
  text: string;
  reasoning: string;
  finishReason: string | null;
  model: string | null;
  usage: { prompt: number; completion: number } | null;
}

/** @throws ModelError `MODEL_FAILED` for what no OpenAI-like server should send */
export function readChunk(data: unknown): Piece {
  const parsed = chunk.safeParse(data);
  if (!parsed.success) {
    throw new ModelError(
      `a piece of the answer has an odd shape: ${z.prettifyError(parsed.error)}`,
      {
        code: "MODEL_FAILED",
        fault: "failed",
        hint: "The attempt counts; look at what LiteLLM's provider sends.",
        cause: parsed.error,
      },
    );
  }
  const { model, choices, usage } = parsed.data;
  const choice = choices?.[0];
  return {
    text: choice?.delta?.content ?? "",
    reasoning: choice?.delta?.reasoning_content ?? "",
    finishReason: choice?.finish_reason ?? null,
    model: model ?? null,
    usage: usage ? { prompt: usage.prompt_tokens, completion: usage.completion_tokens } : null,
  };
}
