// A fetch whose answers can't fill the memory: the openai package collects a line of a stream until its end, however
// long it is, and the bytes are outside the heap that a thread's limit watches.
import { ModelError } from "./model-error.ts";

const NEWLINE = 10;

export function limitedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const limit = isStream(headers) ? perLine(maxBytes) : inAll(maxBytes);
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}

export function isStream(headers: Headers): boolean {
  return headers.get("content-type")?.includes("text/event-stream") === true;
}

function perLine(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const first = chunk.indexOf(NEWLINE);
      const last = chunk.lastIndexOf(NEWLINE);
      if (length + (first === -1 ? chunk.length : first) > maxBytes) throw tooLarge(maxBytes);
      length = last === -1 ? length + chunk.length : chunk.length - last - 1;
      controller.enqueue(chunk);
    },
  });
}

function inAll(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      controller.enqueue(chunk);
    },
  });
}

export function tooLarge(limit: number): ModelError {
  return new ModelError(`the answer is larger than ${limit} bytes`, {
    code: "MODEL_ANSWER_TOO_LARGE",
    fault: "failed",
    hint: "The call was stopped; the attempt counts. Lower `executor.maxTokens` or raise `executor.maxAnswerBytes`.",
  });
}
