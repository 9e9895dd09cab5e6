// A request that got no answer: what it means and whether something can have been written.
import { FabricError } from "../errors.ts";
import { mayHaveWritten } from "./method-kind.ts";
import type { RpcRequest } from "./transport.ts";

/** Marks the error of a connection that did not come about in time: certainly nothing was sent. */
export const CONNECT_TIMEOUT = "CONNECT_TIMEOUT";

const notConnected = new Set([
  "EACCES",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  CONNECT_TIMEOUT,
]);
const tlsTrouble =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_|EPROTO)/;

export interface FailedRequest {
  /** For the message; never carries a credential. */
  url: string;
  requests: readonly RpcRequest[];
  timeoutMs: number;
  maxAnswerBytes: number;
  timedOut: boolean;
}

export function networkError(cause: unknown, failed: FailedRequest): FabricError {
  const { url, requests, timeoutMs, maxAnswerBytes } = failed;
  const { code, message, syscall } = describe(cause);
  if (failed.timedOut) {
    return new FabricError(`Kanboard at ${url} did not answer within ${timeoutMs} ms`, {
      code: "KB_TIMEOUT",
      retryable: "ambiguous",
      hint: "It may still carry the request out: read back. Check the server's load.",
      cause,
    });
  }
  if (tlsTrouble.test(code)) {
    return new FabricError(`no trusted connection to ${url}: ${message}`, {
      code: "KB_TLS",
      retryable: "no",
      hint: "Give the certificate authority (NODE_EXTRA_CA_CERTS or the ca option), or compare http and https.",
      cause,
    });
  }
  if (notConnected.has(code) || syscall === "connect") {
    return new FabricError(`Kanboard at ${url} can't be reached: ${message}`, {
      code: "KB_UNREACHABLE",
      retryable: "yes",
      hint: "Nothing was sent. Check that it runs, the address and the port.",
      cause,
    });
  }
  if (message.includes("maxContentLength")) {
    return new FabricError(`the answer of Kanboard is larger than ${maxAnswerBytes} bytes`, {
      code: "KB_ANSWER_TOO_LARGE",
      retryable: mayHaveWritten(requests) ? "ambiguous" : "no",
      hint: "Ask for less: a narrower search, or one project at a time.",
      cause,
    });
  }
  return new FabricError(`the connection to ${url} was lost: ${message}`, {
    code: "KB_CONNECTION_LOST",
    retryable: "ambiguous",
    hint: "Kanboard may have carried the request out: read back.",
    cause,
  });
}

function describe(cause: unknown): { code: string; message: string; syscall: string } {
  const error = cause as { code?: string; message?: string; syscall?: string; cause?: unknown };
  const inner = (error.cause ?? {}) as typeof error;
  return {
    code: error.code ?? inner.code ?? "",
    message: error.message || inner.message || error.code || String(cause),
    syscall: error.syscall ?? inner.syscall ?? "",
  };
}
