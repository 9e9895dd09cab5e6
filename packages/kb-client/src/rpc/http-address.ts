// Where a Kanboard is and as whom it is asked.
import { FabricError } from "../errors.ts";

export type Auth =
  /** The application token of Settings > API: full rights, and nothing it does is in the activity. */
  | { kind: "app"; token: string }
  /** An account's API access token (profile > API), or its password. */
  | { kind: "user"; username: string; token: string };

/**
 * The address of jsonrpc.php, from itself or from the address of the board, under a subpath too.
 * @throws FabricError `KB_BAD_URL`
 */
export function rpcUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new FabricError(`not an address of a Kanboard: ${JSON.stringify(address)}`, {
      code: "KB_BAD_URL",
      retryable: "no",
      hint: "Give it as http://host:port or https://host/kanboard.",
    });
  }
  url.search = "";
  url.hash = "";
  url.username = "";
  url.password = "";
  const path = url.pathname.replace(/\/+$/, "").replace(/\/index\.php$/, "");
  url.pathname = path.endsWith("/jsonrpc.php") ? path : `${path}/jsonrpc.php`;
  return url;
}

/**
 * @param headerName where Kanboard runs with API_AUTHENTICATION_HEADER (a web server in front takes `Authorization`
 *   for itself): the same value without the word Basic
 */
export function authHeader(auth: Auth, headerName?: string): Record<string, string> {
  const user = auth.kind === "app" ? "jsonrpc" : auth.username;
  const value = Buffer.from(`${user}:${auth.token}`, "utf8").toString("base64");
  return headerName === undefined ? { Authorization: `Basic ${value}` } : { [headerName]: value };
}

/** Addresses of this machine never go through a proxy, whatever NO_PROXY says. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(?:\.\d+){3}$/.test(host)
  );
}
