// A door in front of a server that a test can shut and open: shut, it refuses connections as a server that is down does.
import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

export class Gate {
  readonly #target: number;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null;

  private constructor(target: number, server: Server) {
    this.#target = target;
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    server.on("connection", (socket) => this.#pass(socket));
  }

  static async open(url: string): Promise<Gate> {
    return new Gate(Number(new URL(url).port), await listen(0));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  async reopen(): Promise<void> {
    this.#server = await listen(this.#port);
    this.#server.on("connection", (socket) => this.#pass(socket));
  }

  #pass(socket: Socket): void {
    const inner = connect(this.#target, "127.0.0.1");
    for (const end of [socket, inner]) {
      this.#sockets.add(end);
      // Either end may be cut in the middle; the other one then closes too.
      end.on("error", () => undefined);
      end.on("close", () => {
        this.#sockets.delete(end);
        socket.destroy();
        inner.destroy();
      });
    }
    socket.pipe(inner).pipe(socket);
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
