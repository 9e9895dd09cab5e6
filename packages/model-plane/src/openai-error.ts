// Turns what the openai package and fetch throw into a ModelError.
import { APIConnectionError, APIError, APIUserAbortError } from "openai";
import { classify } from "./classify.ts";
import { ModelError } from "./model-error.ts";
import { retryAfter } from "./retry-after.ts";
import { noFirstToken, stalled } from "./watch.ts";

export interface Progress {
  /** Part of the answer had come before the error. */
  begun: boolean;
  callId: string | null;
  /** Epoch milliseconds. */
  now: number;
}

export function toModelError(error: unknown, progress: Progress): unknown {
  if (error instanceof ModelError || error instanceof APIUserAbortError) return error;
  const inside = causes(error);
  const ours = inside.find((cause) => cause instanceof ModelError);
  if (ours) return ours;
  const codes = inside.map((cause) => (cause as { code?: unknown }).code);
  // Node's fetch gives up after five minutes without headers, or between two pieces of the body.
  if (codes.includes("UND_ERR_HEADERS_TIMEOUT")) return noFirstToken(error);
  if (codes.includes("UND_ERR_BODY_TIMEOUT")) {
    return progress.begun ? stalled(error) : noFirstToken(error);
  }
  if (error instanceof APIConnectionError) {
    return classify({ status: undefined, message: error.message, cause: error });
  }
  if (error instanceof APIError) return fromAnswer(error, progress);
  return brokenOff(`the connection broke: ${String(error)}`, progress.callId, error);
}

function fromAnswer(error: APIError, progress: Progress): ModelError {
  const inner: { message?: unknown } | undefined = error.error;
  const message =
    typeof inner?.message === "string" && inner.message !== "" ? inner.message : error.message;
  const headers = error.headers ?? new Headers();
  const found = classify({
    // An error in the middle of a stream has no status: the 200 had gone out already.
    status: error.status ?? statusIn(error.code),
    message,
    type: error.type,
    code: error.code,
    retryAfter: retryAfter(headers, message, progress.now),
    callId: headers.get("x-litellm-call-id") ?? progress.callId,
    cause: error,
  });
  // A server that dies while it answers may be dying of this very task: that must cost an attempt.
  if (progress.begun && found.fault === "unavailable") {
    return brokenOff(found.message, found.callId, error);
  }
  return found;
}

export function brokenOff(message: string, callId: string | null, cause?: unknown): ModelError {
  return new ModelError(message, {
    code: "MODEL_CUT_OFF",
    fault: "failed",
    hint: "The attempt counts; it is tried again after a while.",
    callId,
    cause,
  });
}

function statusIn(code: string | null | undefined): number {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : 500;
}

function causes(error: unknown): object[] {
  const found: object[] = [];
  let at = error;
  while (typeof at === "object" && at !== null && found.length < 5) {
    found.push(at);
    at = (at as { cause?: unknown }).cause;
  }
  return found;
}
