// The machine's clock and its strong random source: the only place that reads either.
import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Clock, Random } from "./ports.ts";

const BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";

export const systemClock: Clock = {
  now: () => Date.now(),
  // The clock behind performance.now(), whose module takes 2 ms to load: a twentieth of the start of a shell command.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
  base36: (length) =>
    Array.from({ length }, () => BASE36[randomInt(BASE36.length)] as string).join(""),
};
