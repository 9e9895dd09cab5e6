// The ports through which time and chance enter. Nothing else in the core reads a clock or rolls a die.

/** Epoch milliseconds, and a monotonic reading that suspend may stop. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds since an arbitrary start. */
  monotonic(): number;
  /** Resolves after `ms`, rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** Uniform in [0, 1): jitter and choice. */
  next(): number;
  /** `length` characters of base36 from a strong source: nonces and keys. */
  base36(length: number): string;
}
