// The port to a Kanboard: a batch of JSON-RPC calls goes out as one HTTP request. Real HTTP and the in-memory
// Kanboard implement it, and one conformance suite holds both to the same behaviour.

export interface RpcRequest {
  method: string;
  params: Readonly<Record<string, unknown>>;
}

export type RpcReply =
  | { ok: true; result: unknown }
  | { ok: false; error: { code: number; message: string; data?: unknown } };

/** What a request is for; counted by the benchmarks and, later, by the metrics. */
export type Purpose =
  | "setup"
  | "submit"
  | "poll"
  | "claim"
  | "heartbeat"
  | "outcome"
  | "projection"
  | "sweep"
  | "read";

export interface SendOptions {
  purpose: Purpose;
  signal?: AbortSignal | undefined;
}

export interface TransportReply {
  /** One reply per request, in order. */
  replies: RpcReply[];
  /** The server's clock from the HTTP `Date` header, epoch milliseconds (1 s resolution). */
  serverTime: number | undefined;
}

export interface Transport {
  /**
   * Sends `requests` as one HTTP request. Kanboard runs them in order and not as a transaction.
   * @throws FabricError when the whole request failed (no answer, 401, 403, an empty 500, no JSON); elements before
   *   the failing one may be committed then, so `retryable` is `ambiguous` unless nothing was sent.
   */
  send(requests: readonly RpcRequest[], options: SendOptions): Promise<TransportReply>;
}
