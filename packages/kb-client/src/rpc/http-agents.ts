// Sockets: kept alive, with a deadline of their own for connecting, and an own certificate authority where needed.
import * as http from "node:http";
import * as https from "node:https";
import type { Duplex } from "node:stream";
import * as tls from "node:tls";
import { CONNECT_TIMEOUT } from "./http-failure.ts";

export interface Agents {
  httpAgent: http.Agent;
  httpsAgent: https.Agent;
}

/** @param ca PEM; trusted besides the machine's own authorities and those of NODE_EXTRA_CA_CERTS */
export function makeAgents(connectTimeoutMs: number, ca?: string): Agents {
  const httpAgent = new http.Agent({ keepAlive: true });
  const trusted = ca === undefined ? {} : { ca: [...tls.getCACertificates("default"), ca] };
  const httpsAgent = new https.Agent({ keepAlive: true, ...trusted });
  limitConnecting(httpAgent, "connect", connectTimeoutMs);
  limitConnecting(httpsAgent, "secureConnect", connectTimeoutMs);
  return { httpAgent, httpsAgent };
}

/** Without it a silent host costs the whole answer timeout, and nobody can say whether something was sent. */
function limitConnecting(agent: http.Agent, connected: string, ms: number): void {
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback): Duplex | null | undefined => {
    const socket = create(options, callback);
    if (!socket) return socket;
    // A timeout of the socket would do, but axios resets that for its own purposes.
    const deadline = AbortSignal.timeout(ms);
    const giveUp = (): void => {
      const error = new Error(`not connected within ${ms} ms`);
      socket.destroy(Object.assign(error, { code: CONNECT_TIMEOUT }));
    };
    deadline.addEventListener("abort", giveUp, { once: true });
    for (const end of [connected, "close"]) {
      socket.once(end, () => deadline.removeEventListener("abort", giveUp));
    }
    return socket;
  };
}
