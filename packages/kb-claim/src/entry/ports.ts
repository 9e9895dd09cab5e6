// The real ports of a command: clocks, chance, the board over HTTP, the terminal.
import {
  isLoopback,
  PlainHttpTransport,
  silent,
  systemClock,
  systemRandom,
  type Transport,
} from "@agap/kb-client";
import type { Credential } from "../door/credential.ts";
import type { Ports } from "../door/door.ts";
import { systemBootClock } from "../lease/boot-clock.ts";

export function systemPorts(hasProxy: boolean, signal: AbortSignal): Ports {
  return {
    clock: systemClock,
    random: systemRandom,
    boot: systemBootClock(),
    emit: silent,
    signal,
    connect: async (url, credential) => connect(url, credential, hasProxy),
  };
}

async function connect(url: string, credential: Credential, hasProxy: boolean): Promise<Transport> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === "http:" && (!hasProxy || isLoopback(parsed))) {
    const { username, token } = credential;
    return new PlainHttpTransport({ url, auth: { kind: "user", username, token } });
  }
  const { connectFully } = await import("./proxied.ts");
  return connectFully(url, credential);
}
