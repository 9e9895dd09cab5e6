// The transport over HTTP: one POST to jsonrpc.php per batch, never repeated here.
import axios, { type AxiosResponse, isAxiosError } from "axios";
import { FabricError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { systemClock } from "../system-ports.ts";
import { type Auth, authHeader, isLoopback, rpcUrl } from "./http-address.ts";
import { type Agents, makeAgents } from "./http-agents.ts";
import { readAnswer } from "./http-answer.ts";
import { networkError } from "./http-failure.ts";
import type { Purpose, RpcRequest, SendOptions, Transport, TransportReply } from "./transport.ts";

/** One HTTP request, for counting. */
export interface RequestRecord {
  purpose: Purpose;
  /** Calls in the batch. */
  procedures: number;
  /** Of the bodies, before compression. */
  bytesSent: number;
  bytesReceived: number;
  ms: number;
  /** "ok", or the code of the error; "aborted" when the caller's signal ended it. */
  outcome: string;
}

export interface HttpTransportOptions {
  /** Of the board or of its jsonrpc.php. */
  url: string;
  auth: Auth;
  /** Name of the header that Kanboard's API_AUTHENTICATION_HEADER is set to, such as X-API-Auth. */
  authHeader?: string | undefined;
  /** PEM of an own certificate authority. */
  ca?: string | undefined;
  /** For the whole answer, from sending on; 30 s. */
  timeoutMs?: number | undefined;
  /** For the connection; 10 s. */
  connectTimeoutMs?: number | undefined;
  /** 64 MiB: about 50,000 cards. */
  maxAnswerBytes?: number | undefined;
  onRequest?: ((record: RequestRecord) => void) | undefined;
  clock?: Clock | undefined;
}

const MAX_ANSWER_BYTES = 64 * 2 ** 20;

/** Proxy variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) are honoured, except for this machine's own addresses. */
export class HttpTransport implements Transport {
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #agents: Agents;
  readonly #timeoutMs: number;
  readonly #maxAnswerBytes: number;
  readonly #onRequest: ((record: RequestRecord) => void) | undefined;
  readonly #clock: Clock;

  /** @throws FabricError `KB_BAD_URL` */
  constructor(options: HttpTransportOptions) {
    this.#url = rpcUrl(options.url);
    this.#headers = authHeader(options.auth, options.authHeader);
    this.#agents = makeAgents(options.connectTimeoutMs ?? 10_000, options.ca);
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES;
    this.#onRequest = options.onRequest;
    this.#clock = options.clock ?? systemClock;
  }

  async send(requests: readonly RpcRequest[], options: SendOptions): Promise<TransportReply> {
    const body = JSON.stringify(
      requests.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params })),
    );
    const started = this.#clock.monotonic();
    let outcome = "aborted";
    let received = 0;
    try {
      const response = await this.#post(body, requests, options);
      received = Buffer.byteLength(response.data);
      const { status, data, headers } = response;
      const location = headers["location"] as string | undefined;
      const replies = readAnswer({ status, body: data, location }, requests);
      outcome = "ok";
      return { replies, serverTime: serverTime(headers["date"]) };
    } catch (error) {
      if (error instanceof FabricError) outcome = error.code;
      throw error;
    } finally {
      this.#onRequest?.({
        purpose: options.purpose,
        procedures: requests.length,
        bytesSent: Buffer.byteLength(body),
        bytesReceived: received,
        ms: this.#clock.monotonic() - started,
        outcome,
      });
    }
  }

  /** Ends kept-alive connections; without it they keep the process for some seconds. */
  close(): void {
    this.#agents.httpAgent.destroy();
    this.#agents.httpsAgent.destroy();
  }

  async #post(
    body: string,
    requests: readonly RpcRequest[],
    { signal }: SendOptions,
  ): Promise<AxiosResponse<string>> {
    signal?.throwIfAborted();
    // axios' own timeout restarts with every byte; a lease needs a bound for the whole.
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await axios.post<string>(this.#url.href, body, {
        ...this.#agents,
        ...(isLoopback(this.#url) ? { proxy: false } : {}),
        headers: {
          ...this.#headers,
          "Content-Type": "application/json",
          Accept: "application/json",
        },
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        maxRedirects: 0,
        maxContentLength: this.#maxAnswerBytes,
        maxBodyLength: Infinity,
        responseType: "text",
        transformResponse: (data: unknown) => data,
        validateStatus: () => true,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw networkError(withoutRequest(cause), {
        url: this.#url.href,
        requests,
        timeoutMs: this.#timeoutMs,
        maxAnswerBytes: this.#maxAnswerBytes,
        timedOut: deadline.aborted,
      });
    }
  }
}

/** axios hangs the whole request on its errors, credential included; a log must not get hold of it. */
function withoutRequest(cause: unknown): unknown {
  if (!isAxiosError(cause)) return cause;
  const error = new Error(cause.message);
  const inner = cause.cause as { syscall?: string } | undefined;
  return Object.assign(error, { code: cause.code, syscall: inner?.syscall });
}

function serverTime(header: unknown): number | undefined {
  const time = typeof header === "string" ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
