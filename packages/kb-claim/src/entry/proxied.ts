// The full transport, for https and for proxies; loaded only where one of them is used.
import type { Transport } from "@agap/kb-client";
import { HttpTransport } from "@agap/kb-client/http";
import type { Credential } from "../door/credential.ts";

export function connectFully(url: string, { username, token }: Credential): Transport {
  return new HttpTransport({ url, auth: { kind: "user", username, token } });
}
