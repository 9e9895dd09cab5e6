// The same transport for plain http without a proxy, on node:http alone: loading axios, TLS and fetch takes 100 ms,
// which is longer than all the rest of a shell command. What an answer or a failure means is shared with HttpTransport.
import * as http from "node:http";
import { FabricError } from "../errors.ts";
import { type Auth, authHeader, rpcUrl } from "./http-address.ts";
import { readAnswer } from "./http-answer.ts";
import { CONNECT_TIMEOUT, networkError } from "./http-failure.ts";
import type { RpcRequest, SendOptions, Transport, TransportReply } from "./transport.ts";

export interface PlainHttpOptions {
  /** Of the board or of its jsonrpc.php; http only. */
  url: string;
  auth: Auth;
  /** For the whole answer, from sending on; 30 s. */
  timeoutMs?: number | undefined;
  /** For the connection; 10 s. */
  connectTimeoutMs?: number | undefined;
}

const MAX_ANSWER_BYTES = 64 * 2 ** 20;

interface Answered {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export class PlainHttpTransport implements Transport {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;
  readonly #connectTimeoutMs: number;
  readonly #agent = new http.Agent({ keepAlive: true });

  /** @throws FabricError `KB_BAD_URL` */
  constructor(options: PlainHttpOptions) {
    this.#url = rpcUrl(options.url);
    this.#headers = authHeader(options.auth);
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 10_000;
  }

  async send(requests: readonly RpcRequest[], { signal }: SendOptions): Promise<TransportReply> {
    signal?.throwIfAborted();
    const body = JSON.stringify(
      requests.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params })),
    );
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    let answer: Answered;
    try {
      answer = await this.#post(body, signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof FabricError) throw cause;
      throw networkError(cause, {
        url: this.#url.href,
        requests,
        timeoutMs: this.#timeoutMs,
        maxAnswerBytes: MAX_ANSWER_BYTES,
        timedOut: deadline.aborted,
      });
    }
    const { status, headers, body: text } = answer;
    const replies = readAnswer({ status, body: text, location: headers.location }, requests);
    const date = Date.parse(headers.date ?? "");
    return { replies, serverTime: Number.isNaN(date) ? undefined : date };
  }

  /** Ends kept-alive connections; without it they keep the process for some seconds. */
  close(): void {
    this.#agent.destroy();
  }

  #post(body: string, signal: AbortSignal): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const request = http.request(
        this.#url,
        {
          method: "POST",
          agent: this.#agent,
          signal,
          headers: {
            ...this.#headers,
            "Content-Type": "application/json",
            Accept: "application/json",
            "Content-Length": Buffer.byteLength(body),
          },
        },
        (response) => {
          readBody(response).then(
            (text) =>
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
            reject,
          );
        },
      );
      request.once("error", reject);
      request.once("socket", (socket) => {
        if (!socket.connecting) return;
        const giveUp = (): void => {
          const error = new Error(`not connected within ${this.#connectTimeoutMs} ms`);
          request.destroy(Object.assign(error, { code: CONNECT_TIMEOUT }));
        };
        socket.setTimeout(this.#connectTimeoutMs, giveUp);
        socket.once("connect", () => {
          socket.setTimeout(0);
          socket.off("timeout", giveUp);
        });
      });
      request.end(body);
    });
  }
}

function readBody(response: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_ANSWER_BYTES) return;
      // The words are axios': the shared reading of failures knows them.
      response.destroy(new Error(`maxContentLength of ${MAX_ANSWER_BYTES} exceeded`));
    });
    response.once("error", reject);
    response.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}
