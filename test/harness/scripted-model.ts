// A stand-in for LiteLLM (or for the model behind it) that does what a test says: faults can't be had from a real one
// on demand. What it answers otherwise was recorded from LiteLLM 1.108.
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelCall {
  path: string;
  headers: IncomingMessage["headers"];
  /** Undefined for a GET. */
  body: Record<string, unknown> | undefined;
  answer: ServerResponse;
  /** Resolves when the caller closes the connection, or the answer is complete. */
  closed: Promise<void>;
  /** The connection was closed before the answer was complete. */
  wasCut: boolean;
}

export type Script = (call: ModelCall) => void | Promise<void>;

export class ScriptedModel {
  readonly calls: ModelCall[] = [];
  /** What the list of models answers. */
  models: string[] = ["local-small"];
  /** Answers a chat call. */
  script: Script = (call) => streamWords(call, ["Hello", " there", "."]);
  readonly #server: Server;
  readonly #events = new EventEmitter();

  private constructor() {
    this.#server = createServer((request, answer) => void this.#take(request, answer));
  }

  static async start(): Promise<ScriptedModel> {
    const made = new ScriptedModel();
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next chat call from now on. */
  async arrival(): Promise<ModelCall> {
    const [call] = (await once(this.#events, "call")) as [ModelCall];
    return call;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const closed = new Promise<void>((resolve) => answer.on("close", resolve));
    const call: ModelCall = {
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>),
      answer,
      closed,
      wasCut: false,
    };
    answer.on("close", () => (call.wasCut = !answer.writableFinished));
    if (request.url?.endsWith("/models")) {
      sendJson(call, 200, { object: "list", data: this.models.map((id) => ({ id })) });
      return;
    }
    this.calls.push(call);
    this.#events.emit("call", call);
    await this.script(call);
  }
}

export function beginStream({ answer }: ModelCall, headers: Record<string, string> = {}): void {
  answer.writeHead(200, {
    "content-type": "text/event-stream",
    "x-litellm-call-id": "call-1",
    "x-litellm-model-id": "dep-1",
    "x-litellm-attempted-retries": "0",
    ...headers,
  });
}

export function sendPiece(
  { answer }: ModelCall,
  delta: object,
  finish: string | null = null,
): void {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  sendEvent(answer, { id: "x", object: "chat.completion.chunk", model: "local-small", choices });
}

export function sendEvent(answer: ServerResponse, event: object): void {
  answer.write(`data: ${JSON.stringify(event)}\n\n`);
}

export function endStream(
  { answer }: ModelCall,
  usage: [prompt: number, completion: number],
): void {
  const [prompt_tokens, completion_tokens] = usage;
  sendEvent(answer, { choices: [], usage: { prompt_tokens, completion_tokens } });
  answer.end("data: [DONE]\n\n");
}

export function streamWords(call: ModelCall, words: readonly string[]): void {
  beginStream(call);
  sendPiece(call, { role: "assistant", content: "" });
  for (const content of words) sendPiece(call, { content });
  sendPiece(call, {}, "stop");
  endStream(call, [153, 42]);
}

export function sendJson({ answer }: ModelCall, status: number, body: object, headers = {}): void {
  answer.writeHead(status, { "content-type": "application/json", ...headers });
  answer.end(JSON.stringify(body));
}

export function sendError(call: ModelCall, status: number, message: string, headers = {}): void {
  sendJson(
    call,
    status,
    { error: { message, type: "None", param: "None", code: `${status}` } },
    headers,
  );
}
