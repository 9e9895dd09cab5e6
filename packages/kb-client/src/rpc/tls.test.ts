import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { HttpTransport } from "./http-transport.ts";

const READ = [{ method: "getVersion", params: {} }];
const folder = mkdtempSync(join(tmpdir(), "fabric-tls-"));
after(() => rmSync(folder, { recursive: true }));

const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const command = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${cert}
 -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1`;
const made = spawnSync("openssl", command.split(/\s+/));
const skip = made.status === 0 ? false : "no openssl here to make a certificate with";

async function serve(t: { after(f: () => void): void }): Promise<string> {
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (request, response) => {
      request.resume().on("end", () => response.end('[{"id":0,"result":"safe"}]'));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

describe("https", { skip }, () => {
  test("an own certificate authority is trusted once it is given", async (t) => {
    const transport = new HttpTransport({
      url: await serve(t),
      auth: { kind: "app", token: "x" },
      ca: readFileSync(cert, "utf8"),
    });
    const { replies } = await transport.send(READ, { purpose: "read" });
    assert.deepEqual(replies, [{ ok: true, result: "safe" }]);
    transport.close();
  });

  test("an unknown one is refused before anything is sent", async (t) => {
    const url = await serve(t);
    const transport = new HttpTransport({ url, auth: { kind: "app", token: "x" } });
    const sending = transport.send(READ, { purpose: "read" });
    await assert.rejects(sending, { code: "KB_TLS", retryable: "no" });
    const plain = new HttpTransport({
      url: url.replace("https", "http"),
      auth: { kind: "app", token: "x" },
    });
    await assert.rejects(plain.send(READ, { purpose: "read" }), { code: "KB_CONNECTION_LOST" });
    transport.close();
    plain.close();
  });
});

test("a handshake that does not come about in time was certainly sent nothing", async (t) => {
  const mute = createTcpServer((socket) => void socket.on("error", () => {}));
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  t.after(() => mute.close());
  const url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const auth = { kind: "app", token: "x" } as const;
  const transport = new HttpTransport({ url, auth, connectTimeoutMs: 50 });
  t.after(() => transport.close());
  const sending = transport.send([{ method: "closeTask", params: {} }], { purpose: "read" });
  await assert.rejects(sending, { code: "KB_UNREACHABLE", retryable: "yes" });
});
