// Writes down every request that passes, with the lane it would need if each lane sent one at a time.
import type { Auth, RpcRequest, SendOptions, Transport, TransportReply } from "@agap/kb-client";
import type { RecordedRequest } from "./replay.ts";

export class RecordingTransport implements Transport {
  readonly requests: (RecordedRequest & { purpose: string })[] = [];
  readonly #inner: Transport;
  readonly #authorization: string;
  readonly #busy = new Set<number>();

  constructor(inner: Transport, auth: Auth) {
    this.#inner = inner;
    const user = auth.kind === "app" ? "jsonrpc" : auth.username;
    this.#authorization = `Basic ${Buffer.from(`${user}:${auth.token}`).toString("base64")}`;
  }

  async send(requests: readonly RpcRequest[], options: SendOptions): Promise<TransportReply> {
    let lane = 0;
    while (this.#busy.has(lane)) lane += 1;
    this.#busy.add(lane);
    const calls = requests.map(({ method, params }, id) => ({
      jsonrpc: "2.0",
      id,
      method,
      params,
    }));
    const body = JSON.stringify(calls);
    const { purpose } = options;
    this.requests.push({ lane, body, authorization: this.#authorization, purpose });
    try {
      return await this.#inner.send(requests, options);
    } finally {
      this.#busy.delete(lane);
    }
  }
}
