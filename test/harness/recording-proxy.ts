// A door in front of LiteLLM that writes down every call that passes: what the model was asked is judged from there.
import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedCall {
  path: string;
  body: string;
  /** The stream came to its end; false while it runs and when it was cut. */
  complete: boolean;
}

export class RecordingProxy {
  readonly calls: RecordedCall[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(target: string): Promise<RecordingProxy> {
    const upstream = new URL(target);
    const server = createServer((incoming, answer) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        const body = Buffer.concat(chunks);
        const call: RecordedCall = {
          path: incoming.url ?? "",
          body: body.toString(),
          complete: false,
        };
        proxy.calls.push(call);
        const { host: _host, ...headers } = incoming.headers;
        const passed = forward(
          {
            host: upstream.hostname,
            port: upstream.port,
            path: incoming.url,
            method: incoming.method,
            headers,
          },
          (reply) => {
            answer.writeHead(reply.statusCode ?? 502, reply.headers);
            reply.pipe(answer);
            reply.on("data", (chunk: Buffer) => {
              if (chunk.includes("[DONE]")) call.complete = true;
            });
          },
        );
        passed.on("error", () => answer.destroy());
        answer.on("close", () => passed.destroy());
        passed.end(body);
      });
    });
    const proxy = new RecordingProxy(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Chat calls whose prompt holds `text`. */
  asking(text: string): RecordedCall[] {
    return this.calls.filter(
      (call) => call.path.includes("/chat/completions") && call.body.includes(text),
    );
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
