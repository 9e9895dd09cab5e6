// The name of the register that an idempotency key stands for.

/** `s.` and 40 hexadecimal digits; `hash` spreads the registers over the shards. */
export async function keyRegister(
  submitter: string,
  key: string,
): Promise<{ name: string; hash: number }> {
  const bytes = new TextEncoder().encode(`${submitter}\n${key}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest.subarray(0, 20), (byte) => byte.toString(16).padStart(2, "0"));
  return { name: `s.${hex.join("")}`, hash: digest[0] ?? 0 };
}
