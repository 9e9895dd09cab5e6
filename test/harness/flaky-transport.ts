// A stand-in for a bad network in front of a real board: loses, delays or doubles the answer to chosen requests.
import {
  FabricError,
  type SendOptions,
  type RpcRequest,
  type Transport,
  type TransportReply,
} from "@agap/kb-client";

type Fate =
  | "deliver"
  /** Never reached the board. */
  | "drop-request"
  /** The board did it; the answer is lost. */
  | "drop-answer"
  /** The board did it twice; the second answer arrives. */
  | "double";

/** Decides the fate of the `number`th request, counted from 1. */
export type FateOf = (request: { number: number; methods: string[]; purpose: string }) => Fate;

export class FlakyTransport implements Transport {
  readonly #inner: Transport;
  readonly #fate: FateOf;
  #number = 0;

  constructor(inner: Transport, fate: FateOf) {
    this.#inner = inner;
    this.#fate = fate;
  }

  get sent(): number {
    return this.#number;
  }

  async send(requests: readonly RpcRequest[], options: SendOptions): Promise<TransportReply> {
    this.#number += 1;
    const methods = requests.map((request) => request.method);
    const fate = this.#fate({ number: this.#number, methods, purpose: options.purpose });
    switch (fate) {
      case "deliver":
        return this.#inner.send(requests, options);
      case "drop-request":
        throw lost();
      case "drop-answer":
        await this.#inner.send(requests, options);
        throw lost();
      case "double":
        await this.#inner.send(requests, options);
        return this.#inner.send(requests, options);
    }
  }
}

function lost(): FabricError {
  return new FabricError(
    "the connection was lost while waiting for the answer (planned by the test)",
    {
      code: "KB_CONNECTION_LOST",
      retryable: "ambiguous",
    },
  );
}
