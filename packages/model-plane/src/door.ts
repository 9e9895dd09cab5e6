// The way to LiteLLM: one client that neither retries nor listens to stray environment variables.
import OpenAI from "openai";
import { limitedFetch } from "./limited-fetch.ts";

export interface ModelDoor {
  /** Base address of LiteLLM. */
  url: string;
  key: string;
}

/**
 * @param maxLineBytes of one line of a stream, and of any other answer
 * @param timeoutMs until the headers of the answer
 */
export function clientFor(door: ModelDoor, maxLineBytes: number, timeoutMs: number): OpenAI {
  return new OpenAI({
    baseURL: `${door.url.replace(/\/$/, "")}/v1`,
    apiKey: door.key,
    // Explicit, because the package reads OPENAI_* from the environment otherwise.
    organization: null,
    project: null,
    logLevel: "off",
    maxRetries: 0,
    timeout: timeoutMs,
    defaultHeaders: { "x-litellm-num-retries": "0" },
    fetch: limitedFetch(maxLineBytes),
  });
}
