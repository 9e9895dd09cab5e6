// Typed calls over a transport: reads are repeated when they fail, writes only when certainly nothing was sent.
import pRetry from "p-retry";
import { FabricError, isFabricError } from "../errors.ts";
import type { Clock, Random } from "../ports.ts";
import { replyError } from "./reply-error.ts";
import type { Procedure, ResultOf } from "./procedure.ts";
import type { RpcReply, SendOptions, Transport } from "./transport.ts";

export type Outcome<R> = { ok: true; value: R } | { ok: false; error: FabricError };

// eslint-disable-next-line typescript/no-explicit-any -- a tuple of procedures with different results
type AnyProcedure = Procedure<any>;

/** Four tries within about 2 s: longer outages are for the caller's own loop, which knows what it may miss. */
const RETRIES = 3;
const FIRST_DELAY_MS = 200;

export class KanboardClient {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #random: Random;
  #lastSeen: { server: number; wall: number; mono: number } | undefined;

  constructor(transport: Transport, ports: { clock: Clock; random: Random }) {
    this.#transport = transport;
    this.#clock = ports.clock;
    this.#random = ports.random;
  }

  /** @throws FabricError of the request or of this call; `retryable` says what may have happened */
  async call<R>(procedure: Procedure<R>, options: SendOptions): Promise<R> {
    const [outcome] = await this.batch([procedure], options);
    if (!outcome.ok) throw outcome.error;
    return outcome.value;
  }

  /**
   * One HTTP request; in order, not a transaction, and it goes on behind a failed element.
   * @throws FabricError when the whole request failed
   */
  async batch<const P extends readonly AnyProcedure[]>(
    procedures: P,
    options: SendOptions,
  ): Promise<{ [K in keyof P]: Outcome<ResultOf<P[K]>> }> {
    type Outcomes = { [K in keyof P]: Outcome<ResultOf<P[K]>> };
    if (procedures.length === 0) return [] as unknown as Outcomes;
    const readOnly = procedures.every((procedure) => procedure.kind === "read");
    const outcomes = await this.#retrying(readOnly, options.signal, async (isLast) => {
      const replies = await this.#send(procedures, options);
      const read = procedures.map((procedure, i) => outcomeOf(procedure, replies[i]));
      const failed = read.find((outcome) => !outcome.ok && outcome.error.retryable !== "no");
      if (readOnly && !isLast && failed && !failed.ok) throw failed.error;
      return read;
    });
    return outcomes as unknown as Outcomes;
  }

  /**
   * The server's clock, epoch milliseconds: the last `Date` header (1 s resolution) plus the time since, by the
   * larger of both clocks, since suspend stops the monotonic one. The local clock before the first answer.
   */
  serverNow(): number {
    const seen = this.#lastSeen;
    if (!seen) return this.#clock.now();
    const since = Math.max(this.#clock.now() - seen.wall, this.#clock.monotonic() - seen.mono);
    return seen.server + since;
  }

  async #send(procedures: readonly AnyProcedure[], options: SendOptions): Promise<RpcReply[]> {
    const requests = procedures.map(({ method, params }) => ({ method, params }));
    const { replies, serverTime } = await this.#transport.send(requests, options);
    if (serverTime !== undefined) {
      const { now, monotonic } = this.#clock;
      this.#lastSeen = {
        server: serverTime,
        wall: now.call(this.#clock),
        mono: monotonic.call(this.#clock),
      };
    }
    return replies;
  }

  #retrying<R>(
    readOnly: boolean,
    signal: AbortSignal | undefined,
    attempt: (isLast: boolean) => Promise<R>,
  ): Promise<R> {
    return pRetry((number) => attempt(number > RETRIES), {
      retries: RETRIES,
      // The waiting is done below, by the clock that tests can drive.
      minTimeout: 0,
      ...(signal ? { signal } : {}),
      shouldRetry: ({ error }) =>
        isFabricError(error) &&
        (error.retryable === "yes" || (readOnly && error.retryable === "ambiguous")),
      onFailedAttempt: async ({ error, retriesLeft, attemptNumber }) => {
        if (retriesLeft === 0 || !isFabricError(error) || error.retryable === "no") return;
        if (!readOnly && error.retryable === "ambiguous") return;
        const delay = FIRST_DELAY_MS * 2 ** (attemptNumber - 1) * (0.5 + this.#random.next());
        await this.#clock.sleep(delay, signal);
      },
    });
  }
}

function outcomeOf<R>(procedure: Procedure<R>, reply: RpcReply | undefined): Outcome<R> {
  try {
    if (!reply) throw replyError(procedure, { code: 0, message: "no answer to this element" });
    if (!reply.ok) throw replyError(procedure, reply.error);
    return { ok: true, value: procedure.parse(reply.result) };
  } catch (error) {
    if (error instanceof FabricError) return { ok: false, error };
    throw error;
  }
}
