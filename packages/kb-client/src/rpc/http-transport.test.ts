import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { isFabricError } from "../errors.ts";
import { HttpTransport, type HttpTransportOptions, type RequestRecord } from "./http-transport.ts";
import { PlainHttpTransport } from "./plain-http-transport.ts";
import type { RpcRequest, Transport } from "./transport.ts";

const READ = [{ method: "getVersion", params: {} }];
const WRITE = [{ method: "closeTask", params: { task_id: 1 } }];
const WRITE_THEN_READ = [...WRITE, ...READ];
const AUTH = { kind: "app", token: "sesame" } as const;

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => void;

async function serve(t: TestContext, handle: Handler): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => handle(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(
  t: TestContext,
  url: string,
  options: Partial<HttpTransportOptions> = {},
): HttpTransport {
  const transport = new HttpTransport({ url, auth: AUTH, ...options });
  t.after(() => transport.close());
  return transport;
}

const results = (body: string, result: unknown): string =>
  JSON.stringify(
    (JSON.parse(body) as { id: number }[]).map(({ id }) => ({ jsonrpc: "2.0", id, result })),
  );
const whole = (code: number): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message: "no" }, id: null });

/** "CODE retryable" of what a request to a server that answers so ends with, over both transports. */
async function failure(
  t: TestContext,
  handle: Handler,
  requests: readonly RpcRequest[] = READ,
  options: Partial<HttpTransportOptions> = {},
): Promise<string> {
  const url = await serve(t, handle);
  const full = await endOf(open(t, url, options), requests);
  // Its limit is fixed.
  if (options.maxAnswerBytes !== undefined) return full;
  const plain = new PlainHttpTransport({ url, auth: AUTH, timeoutMs: options.timeoutMs });
  assert.equal(await endOf(plain, requests), full, "the plain transport");
  return full;
}

async function endOf(transport: Transport, requests: readonly RpcRequest[]): Promise<string> {
  try {
    await transport.send(requests, { purpose: "read" });
    return "none";
  } catch (error) {
    if (!isFabricError(error)) throw error;
    const { cause } = error;
    assert.ok(!JSON.stringify({ ...error, cause }).includes("sesame"), "no credential");
    return `${error.code} ${error.retryable}`;
  }
}

test("a batch goes out as one POST and comes back in order with the server's clock", async (t) => {
  let seen: { url?: string | undefined; auth?: string | undefined; body?: string } = {};
  const url = await serve(t, (request, body, response) => {
    seen = { url: request.url, auth: request.headers.authorization, body };
    response.setHeader("Date", "Mon, 05 Jan 2026 10:00:00 GMT");
    response.end(
      JSON.stringify([
        { id: 0, result: "a" },
        { id: 1, error: { code: 0, message: "m" } },
      ]),
    );
  });
  const reply = await open(t, `${url}/kanboard/`).send(WRITE_THEN_READ, { purpose: "read" });
  assert.equal(seen.url, "/kanboard/jsonrpc.php");
  assert.equal(seen.auth, `Basic ${Buffer.from("jsonrpc:sesame").toString("base64")}`);
  assert.deepEqual(JSON.parse(seen.body ?? ""), [
    { jsonrpc: "2.0", id: 0, method: "closeTask", params: { task_id: 1 } },
    { jsonrpc: "2.0", id: 1, method: "getVersion", params: {} },
  ]);
  assert.deepEqual(reply, {
    replies: [
      { ok: true, result: "a" },
      { ok: false, error: { code: 0, message: "m" } },
    ],
    serverTime: Date.UTC(2026, 0, 5, 10),
  });
});

test("an account goes in the header that the server asks for", async (t) => {
  let header: unknown;
  const url = await serve(t, (request, body, response) => {
    header = request.headers["x-api-auth"];
    response.end(results(body, "1"));
  });
  const auth = { kind: "user", username: "owner", token: "pässword" } as const;
  await open(t, url, { auth, authHeader: "X-API-Auth" }).send(READ, { purpose: "read" });
  assert.equal(header, Buffer.from("owner:pässword").toString("base64"));
});

test("refusals of the whole request are ambiguous only behind a write", async (t) => {
  const answer =
    (status: number, body: string): Handler =>
    (_, __, response) => {
      response.statusCode = status;
      response.end(body);
    };
  assert.equal(await failure(t, answer(401, whole(401))), "KB_UNAUTHORIZED no");
  assert.equal(await failure(t, answer(403, whole(403)), WRITE), "KB_FORBIDDEN no");
  assert.equal(
    await failure(t, answer(403, whole(403)), WRITE_THEN_READ),
    "KB_FORBIDDEN ambiguous",
  );
  assert.equal(await failure(t, answer(200, whole(-32_700)), WRITE), "KB_UNEXPECTED_REPLY no");
});

test("answers that are not Kanboard's are told apart", async (t) => {
  const answer =
    (status: number, body: string, headers = {}): Handler =>
    (_, __, response) =>
      void response.writeHead(status, headers).end(body);
  const page = "<!DOCTYPE html><title>Login</title>";
  const warning = '<br /><b>Warning</b>: x<br />[{"jsonrpc":"2.0"}]';
  assert.equal(await failure(t, answer(500, ""), WRITE), "KB_SERVER_ERROR ambiguous");
  assert.equal(await failure(t, answer(502, page)), "KB_SERVER_ERROR ambiguous");
  assert.equal(await failure(t, answer(200, page)), "KB_NOT_JSON no");
  assert.equal(await failure(t, answer(200, page), WRITE), "KB_NOT_JSON ambiguous");
  assert.equal(await failure(t, answer(404, page), WRITE), "KB_NOT_JSON no");
  assert.equal(await failure(t, answer(403, page), WRITE), "KB_NOT_JSON no");
  assert.equal(await failure(t, answer(200, warning), WRITE), "KB_NOT_JSON ambiguous");
  assert.equal(await failure(t, answer(200, '[{"id":0,"resu'), WRITE), "KB_TRUNCATED ambiguous");
  const there = { Location: "https://elsewhere.test/" };
  assert.equal(await failure(t, answer(301, "", there), WRITE), "KB_REDIRECTED no");
});

test("elements that are missing, doubled or out of order are not taken for answers", async (t) => {
  const ids =
    (...list: number[]): Handler =>
    (_, __, response) =>
      void response.end(JSON.stringify(list.map((id) => ({ id, result: true }))));
  for (const list of [[0], [1, 0], [0, 0], [0, 1, 2], []]) {
    const seen = await failure(t, ids(...list), WRITE_THEN_READ);
    assert.equal(seen, "KB_UNEXPECTED_REPLY ambiguous", `${list}`);
  }
});

test("a connection that ends in the middle is ambiguous", async (t) => {
  const hangUp: Handler = (request) => void request.socket.destroy();
  assert.equal(await failure(t, hangUp, WRITE), "KB_CONNECTION_LOST ambiguous");
  const cutOff: Handler = (request, _, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write('[{"id":0', () => request.socket.destroy());
  };
  assert.equal(await failure(t, cutOff, WRITE), "KB_CONNECTION_LOST ambiguous");
});

test("a server that is not there was certainly sent nothing", async (t) => {
  const url = await serve(t, () => {});
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  for (const address of [`http://127.0.0.1:${port}`, "http://no-such-host.invalid"]) {
    const sending = open(t, address).send(WRITE, { purpose: "read" });
    await assert.rejects(sending, { code: "KB_UNREACHABLE", retryable: "yes" });
    const plain = new PlainHttpTransport({ url: address, auth: AUTH });
    assert.equal(await endOf(plain, WRITE), "KB_UNREACHABLE yes");
  }
  assert.ok(url);
});

test("a silent server times out, however slowly it dribbles", async (t) => {
  const silent: Handler = () => {};
  assert.equal(await failure(t, silent, WRITE, { timeoutMs: 50 }), "KB_TIMEOUT ambiguous");
  const dribble: Handler = (_, __, response) => {
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  };
  assert.equal(await failure(t, dribble, WRITE, { timeoutMs: 80 }), "KB_TIMEOUT ambiguous");
});

test("an answer that is too large is not read", async (t) => {
  const large: Handler = (_, body, response) => void response.end(results(body, "x".repeat(5000)));
  const options = { maxAnswerBytes: 1000 };
  assert.equal(await failure(t, large, READ, options), "KB_ANSWER_TOO_LARGE no");
  assert.equal(await failure(t, large, WRITE, options), "KB_ANSWER_TOO_LARGE ambiguous");
});

test("the caller's abort ends the request with its own reason", async (t) => {
  const controller = new AbortController();
  const url = await serve(t, () => controller.abort(new Error("lease lost")));
  const sending = open(t, url).send(WRITE, { purpose: "read", signal: controller.signal });
  await assert.rejects(sending, { message: "lease lost" });
});

test("each request is counted with its purpose, its size and its end", async (t) => {
  const records: RequestRecord[] = [];
  const onRequest = (record: RequestRecord): void => void records.push(record);
  let status = 200;
  const url = await serve(t, (_, body, response) => {
    response.statusCode = status;
    response.end(status === 200 ? results(body, "ü") : "");
  });
  const transport = open(t, url, { onRequest });
  await transport.send(READ, { purpose: "poll" });
  status = 500;
  await assert.rejects(transport.send(WRITE_THEN_READ, { purpose: "claim" }));
  assert.deepEqual(
    records.map(({ purpose, procedures, outcome }) => [purpose, procedures, outcome]),
    [
      ["poll", 1, "ok"],
      ["claim", 2, "KB_SERVER_ERROR"],
    ],
  );
  const sent = '[{"jsonrpc":"2.0","id":0,"method":"getVersion","params":{}}]';
  const received = '[{"jsonrpc":"2.0","id":0,"result":"ü"}]';
  assert.equal(records[0]?.bytesSent, sent.length);
  assert.equal(records[0]?.bytesReceived, Buffer.byteLength(received));
});

test("connections are kept for the next request", async (t) => {
  const ports = new Set<number | undefined>();
  const url = await serve(t, (request, body, response) => {
    ports.add(request.socket.remotePort);
    response.end(results(body, "1"));
  });
  const transport = open(t, url);
  for (let i = 0; i < 3; i += 1) await transport.send(READ, { purpose: "read" });
  assert.equal(ports.size, 1);
});

test("requests to other hosts go through the proxy of the environment, those to this machine never", async (t) => {
  const seen: string[] = [];
  const proxy = await serve(t, (request, body, response) => {
    seen.push(request.url ?? "");
    response.end(results(body, "through the proxy"));
  });
  const direct = await serve(t, (_, body, response) => void response.end(results(body, "direct")));
  const before = process.env["http_proxy"];
  process.env["http_proxy"] = proxy;
  t.after(() => {
    if (before === undefined) delete process.env["http_proxy"];
    else process.env["http_proxy"] = before;
  });
  const result = async (url: string): Promise<unknown> => {
    const { replies } = await open(t, url).send(READ, { purpose: "read" });
    return replies[0]?.ok && replies[0].result;
  };
  assert.equal(await result("http://board.test"), "through the proxy");
  assert.equal(await result(direct), "direct");
  assert.deepEqual(seen, ["http://board.test/jsonrpc.php"]);
});
