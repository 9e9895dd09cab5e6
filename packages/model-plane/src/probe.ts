// Whether LiteLLM would take a call now, without making one: a completion costs money and can load a model.
import type { Clock } from "@agap/kb-client";
import { clientFor, type ModelDoor } from "./door.ts";
import { ModelError } from "./model-error.ts";
import { toModelError } from "./openai-error.ts";

const TIMEOUT_MS = 5000;
const MAX_BYTES = 4 * 2 ** 20;

/**
 * Sees that LiteLLM answers, takes the key and knows the model. It can't see whether the model behind it is awake.
 * @returns what stands in the way, or null
 * @throws the signal's reason when it aborts
 */
export async function probe(
  door: ModelDoor,
  model: string,
  ports: { clock: Clock },
  signal?: AbortSignal,
): Promise<ModelError | null> {
  signal?.throwIfAborted();
  const client = clientFor(door, MAX_BYTES, TIMEOUT_MS);
  try {
    const { data } = await client.models.list(signal ? { signal } : {});
    const names = data.map(({ id }) => id);
    return isMissing(model, names) ? unknown(model, names) : null;
  } catch (error) {
    signal?.throwIfAborted();
    const found = toModelError(error, { begun: false, callId: null, now: ports.clock.now() });
    if (found instanceof ModelError) return found;
    throw found;
  }
}

/** A wildcard of LiteLLM serves names that it does not list, mostly of the form provider/model. */
function isMissing(model: string, names: readonly string[]): boolean {
  if (names.includes(model) || model.includes("/")) return false;
  return names.every((name) => !name.includes("*"));
}

function unknown(model: string, names: readonly string[]): ModelError {
  return new ModelError(`LiteLLM has no model ${JSON.stringify(model)}`, {
    code: "MODEL_UNKNOWN",
    fault: "refused",
    hint: `Correct \`executor.model\` in the queue's YAML, or add the model to LiteLLM, which has ${names.slice(0, 10).join(", ") || "none"}.`,
  });
}
