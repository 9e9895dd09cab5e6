// The thread in which the llm executor calls the model.
import { systemClock } from "@agap/kb-client";
import { answer, type LlmSettings } from "./llm.ts";
import { serveThread } from "./thread-side.ts";

serveThread((settings, input, signal) =>
  answer(settings as LlmSettings, input, { clock: systemClock }, signal),
);
