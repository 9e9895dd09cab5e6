// Renews all claims of one process in one request, and ends the work under a claim whose lease is lost.
import { isFabricError } from "../errors.ts";
import type { ProjectId, TaskId } from "../ids.ts";
import { encodePayload, readLogs, shardOf, slotName, type TaskLog } from "../ledger/index.ts";
import { getTagsByProject, updateTag } from "../rpc/index.ts";
import { beatNow, type FabricContext, instant, type Instant } from "./context.ts";
import { type HeldClaim, timeLeft } from "./held-claim.ts";

/** Renewals per lease; with 0.75 of it as the limit, two in a row may be lost. */
const RENEWALS_PER_LEASE = 4;

export class LeaseKeeper {
  readonly #ctx: FabricContext;
  readonly #held = new Map<TaskId, HeldClaim>();

  constructor(ctx: FabricContext) {
    this.#ctx = ctx;
  }

  add(held: HeldClaim): void {
    this.#held.set(held.task.id, held);
  }

  /** After this no heartbeat renews the claim any more. */
  remove(held: HeldClaim): void {
    if (this.#held.get(held.task.id) === held) this.#held.delete(held.task.id);
  }

  get held(): readonly HeldClaim[] {
    return [...this.#held.values()];
  }

  /** Renews until the signal aborts. Never throws for a board that can't be reached: leases simply run out. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#renewing(signal), this.#watching(signal)]);
  }

  /** A slow heartbeat does not hold up the next one: its answer still counts, from when it was sent. */
  async #renewing(signal: AbortSignal): Promise<void> {
    const underway = new Set<Promise<void>>();
    const broken = new AbortController();
    const either = AbortSignal.any([signal, broken.signal]);
    while (await this.#slept(this.#untilRenewal(), either)) {
      if (underway.size >= MOST_UNDERWAY) continue;
      const beat = this.beat(either)
        .catch((error: unknown) => broken.abort(error))
        .then(() => void underway.delete(beat));
      underway.add(beat);
    }
    await Promise.all(underway);
    broken.signal.throwIfAborted();
  }

  /** Beside the renewals: a board that does not answer must not keep a claim alive for longer than its lease. */
  async #watching(signal: AbortSignal): Promise<void> {
    while (await this.#slept(this.#untilOverdue(), signal)) this.#dropOverdue();
  }

  async #slept(ms: number, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#ctx.clock.sleep(Math.max(ms, SHORTEST_PAUSE_MS), signal);
      return true;
    } catch {
      return false;
    }
  }

  /** One heartbeat for every held claim; public so that tests and `renew` drive it without a clock. */
  async beat(signal?: AbortSignal): Promise<void> {
    const claims = this.#dropOverdue();
    if (claims.length === 0) return;
    const sentAt = instant(this.#ctx.clock);
    const beats = new Map(
      claims.map((held) => [held, Math.max(held.slot.beat + 1, beatNow(this.#ctx))]),
    );
    const shards = [...new Set(claims.map((held) => shardOf(this.#ctx.ledger, held.task.id)))];
    try {
      const replies = await this.#ctx.client.batch(
        [
          ...claims.map((held) => renewal(held, beats.get(held) ?? held.slot.beat)),
          ...shards.map((shard: ProjectId) => getTagsByProject(shard)),
        ],
        { purpose: "heartbeat", signal },
      );
      const logs = new Map<string, TaskLog>();
      for (const reply of replies.slice(claims.length)) {
        if (!reply.ok) throw reply.error;
        for (const [key, log] of readLogs(reply.value as never)) logs.set(key, log);
      }
      for (const held of claims) {
        this.#confirm(held, logs.get(held.slot.key), beats.get(held) ?? 0, sentAt);
      }
    } catch (error) {
      if (!isFabricError(error) && !signal?.aborted) throw error;
      const code = isFabricError(error) ? error.code : "aborted";
      this.#ctx.emit("lease.unconfirmed", { claims: claims.length, code });
      this.#dropOverdue();
    }
  }

  /**
   * The answer of `updateTag` proves nothing: it is true when a later slot exists and when the tag is gone. Only the
   * own slot read back with the new beat and nothing after it is a renewal.
   */
  #confirm(held: HeldClaim, log: TaskLog | undefined, beat: number, sentAt: Instant): void {
    if (held.lost.signal.aborted) return;
    const { slot } = held;
    const own = log?.slots.find((candidate) => candidate.n === slot.n);
    if (log?.head && log.head.n > slot.n) {
      // Its own end was written while this heartbeat was on its way; what is left to show must not be cut short.
      if (OWN_ENDS.includes(log.head.kind) && log.head.nonce === slot.nonce) this.remove(held);
      else this.#lose(held, `${log.head.kind} by ${log.head.agent} at ${log.head.n}`);
    } else if (own === undefined || own.nonce !== slot.nonce) {
      this.#lose(held, "its slot is gone from the ledger");
    } else if (own.beat >= beat) {
      // A later heartbeat may have been answered first.
      if (sentAt.mono > held.confirmedAt.mono) held.confirmedAt = sentAt;
      held.slot = { ...slot, beat: own.beat };
      if (log) held.log = log;
      this.#ctx.emit("lease.renewed", { task: held.task.id, epoch: slot.n });
    } else {
      this.#ctx.emit("lease.unconfirmed", { task: held.task.id, epoch: slot.n, code: "beat" });
    }
  }

  /** A worker that could not confirm for too long stops by itself and sends no further renewal. */
  #dropOverdue(): HeldClaim[] {
    const alive: HeldClaim[] = [];
    for (const held of this.held) {
      if (timeLeft(this.#ctx, held) <= 0) this.#lose(held, "no confirmed heartbeat in time");
      else alive.push(held);
    }
    return alive;
  }

  #lose(held: HeldClaim, why: string): void {
    this.remove(held);
    this.#ctx.emit("lease.lost", { task: held.task.id, epoch: held.slot.n, why });
    held.lost.abort(new Error(`lease lost: ${why}`));
  }

  #untilRenewal(): number {
    const { held } = this;
    return held.length === 0 ? IDLE_PAUSE_MS : renewalPause(held);
  }

  #untilOverdue(): number {
    return Math.min(IDLE_PAUSE_MS, ...this.held.map((held) => timeLeft(this.#ctx, held)));
  }
}

/** What only the holder itself writes after its claim, with the claim's nonce. */
const OWN_ENDS = ["d", "f", "p", "r"];
/** A heartbeat is answered or given up within 30 s; more than a lease's worth of them help nobody. */
const MOST_UNDERWAY = RENEWALS_PER_LEASE;
const SHORTEST_PAUSE_MS = 10;
/** Without claims there is nothing to renew; a new claim has at least this long until its first renewal. */
const IDLE_PAUSE_MS = 500;

function renewalPause(claims: readonly HeldClaim[]): number {
  return Math.min(...claims.map((held) => held.queue.rules.leaseMs)) / RENEWALS_PER_LEASE;
}

function renewal(held: HeldClaim, beat: number): ReturnType<typeof updateTag> {
  const { slot } = held;
  return updateTag(slot.tagId, slotName(slot.key, slot.n), encodePayload({ ...slot, beat }));
}
