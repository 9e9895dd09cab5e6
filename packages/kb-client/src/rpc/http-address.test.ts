import assert from "node:assert/strict";
import { test } from "node:test";
import { isLoopback, rpcUrl } from "./http-address.ts";

test("the address of the API is found from whatever address of the board people copy", () => {
  const expected = {
    "http://127.0.0.1:8080": "http://127.0.0.1:8080/jsonrpc.php",
    "http://127.0.0.1:8080/": "http://127.0.0.1:8080/jsonrpc.php",
    "https://h.test/kanboard": "https://h.test/kanboard/jsonrpc.php",
    "https://h.test/kanboard//": "https://h.test/kanboard/jsonrpc.php",
    "https://h.test/kanboard/jsonrpc.php": "https://h.test/kanboard/jsonrpc.php",
    "https://h.test/kb/index.php?controller=x": "https://h.test/kb/jsonrpc.php",
    "https://user:secret@h.test/#top": "https://h.test/jsonrpc.php",
  };
  for (const [given, url] of Object.entries(expected)) assert.equal(rpcUrl(given).href, url);
});

test("what is no web address is refused", () => {
  for (const text of ["", "kanboard", "localhost:8080", "ftp://h.test", "file:///etc"]) {
    assert.throws(() => rpcUrl(text), { code: "KB_BAD_URL" }, text);
  }
});

test("this machine's own addresses are known in every spelling", () => {
  const own = [
    "http://localhost",
    "http://kb.localhost:1",
    "http://127.1.2.3",
    "http://[::1]:8080",
  ];
  for (const url of own) assert.equal(isLoopback(new URL(url)), true, url);
  const others = [
    "http://127.example.test",
    "http://localhost.test",
    "http://10.0.0.1",
    "http://[::2]",
  ];
  for (const url of others) assert.equal(isLoopback(new URL(url)), false, url);
});
