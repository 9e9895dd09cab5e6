// A stand-in for a busy SQLite in front of a board: chosen elements of a batch are not carried out and answer
// "database is locked", as those do whose transaction read before it wrote.
import type { RpcReply, RpcRequest, SendOptions, Transport, TransportReply } from "@agap/kb-client";

const LOCKED = "SQL Error[HY000]: SQLSTATE[HY000]: General error: 5 database is locked";

export class LockingTransport implements Transport {
  readonly #inner: Transport;
  readonly #locks: (request: RpcRequest, purpose: string) => boolean;

  constructor(inner: Transport, locks: (request: RpcRequest, purpose: string) => boolean) {
    this.#inner = inner;
    this.#locks = locks;
  }

  async send(requests: readonly RpcRequest[], options: SendOptions): Promise<TransportReply> {
    const locked = requests.map((request) => this.#locks(request, options.purpose));
    const carriedOut = requests.filter((_, i) => !locked[i]);
    const nothing: TransportReply = { replies: [], serverTime: undefined };
    const reply = carriedOut.length === 0 ? nothing : await this.#inner.send(carriedOut, options);
    const answers = [...reply.replies];
    const replies = locked.map((is): RpcReply => {
      if (is) return { ok: false, error: { code: 0, message: LOCKED } };
      return answers.shift() ?? { ok: false, error: { code: 0, message: "no answer" } };
    });
    return { ...reply, replies };
  }
}
