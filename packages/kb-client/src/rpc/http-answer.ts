// Reads an HTTP answer of jsonrpc.php: replies in order, or one error for the whole request.
import * as z from "zod/mini";
import { FabricError, type Retryable } from "../errors.ts";
import { mayHaveWritten, mayHaveWrittenBefore } from "./method-kind.ts";
import type { RpcReply, RpcRequest } from "./transport.ts";

const rpcError = z.object({
  code: z.number(),
  message: z.string(),
  data: z.optional(z.unknown()),
});
const element = z.union([
  z.object({ id: z.number(), error: rpcError }),
  z.object({ id: z.number(), result: z.unknown() }),
]);
const wholeError = z.object({ error: rpcError });

export interface HttpAnswer {
  status: number;
  body: string;
  location?: string | undefined;
}

/** @throws FabricError for the whole request */
export function readAnswer(answer: HttpAnswer, requests: readonly RpcRequest[]): RpcReply[] {
  const { status, body } = answer;
  const json = parseJson(body);
  const whole = wholeError.safeParse(json);
  if (status === 401 && whole.success) throw unauthorized(requests);
  if (status === 403 && whole.success) throw forbidden(requests);
  if (status >= 500) throw serverError(answer, requests);
  if (status >= 300 && status < 400) throw redirected(answer);
  if (whole.success && status === 200) throw refused(whole.data.error, requests);
  if (json === undefined || status !== 200) throw notJson(answer, requests);
  return inOrder(json, requests);
}

/** Elements carry the ids 0, 1, 2 …; anything else would hand a caller the result of another call. */
function inOrder(json: unknown, requests: readonly RpcRequest[]): RpcReply[] {
  const parsed = z.array(element).safeParse(json);
  const replies = parsed.success ? parsed.data : [];
  if (replies.length !== requests.length || replies.some((reply, i) => reply.id !== i)) {
    const ids = replies.map((reply) => reply.id).join(", ");
    throw new FabricError(`Kanboard answered ${requests.length} calls with the elements [${ids}]`, {
      code: "KB_UNEXPECTED_REPLY",
      retryable: afterTheFact(requests),
      hint: "Something between here and Kanboard changes answers, or a plugin does: read back.",
    });
  }
  return replies.map((reply) =>
    "error" in reply ? { ok: false, error: reply.error } : { ok: true, result: reply.result },
  );
}

function unauthorized(requests: readonly RpcRequest[]): FabricError {
  return new FabricError("Kanboard did not accept the credential", {
    code: "KB_UNAUTHORIZED",
    retryable: mayHaveWrittenBefore(requests) ? "ambiguous" : "no",
    hint:
      "Check user name and token; a disabled account, and one locked for 15 minutes after 7 wrong tries, " +
      "answer the same. In a batch calls before the refused one may be done: their results are lost.",
  });
}

function forbidden(requests: readonly RpcRequest[]): FabricError {
  const methods = requests.map(({ method }) => method).join(", ");
  return new FabricError(`Kanboard forbade one of: ${methods}`, {
    code: "KB_FORBIDDEN",
    retryable: mayHaveWrittenBefore(requests) ? "ambiguous" : "no",
    hint:
      "With a user's token it also means that the card, comment or project no longer exists. One such element " +
      "replaces the answer of the whole batch: calls before it may be done, calls after it were not tried.",
    details: { methods },
  });
}

function serverError({ status, body }: HttpAnswer, requests: readonly RpcRequest[]): FabricError {
  const empty = body.trim() === "";
  return new FabricError(
    `Kanboard failed with HTTP ${status}${empty ? " and an empty answer" : ""}`,
    {
      code: "KB_SERVER_ERROR",
      retryable: "ambiguous",
      hint: empty
        ? "PHP died: out of memory (raise memory_limit, ask for less) or a parameter of a wrong type. Calls before it may be done."
        : "The web server before Kanboard failed; Kanboard may have carried the request out: read back.",
      details: { status, methods: requests.map(({ method }) => method).join(", ") },
    },
  );
}

function redirected({ status, location }: HttpAnswer): FabricError {
  return new FabricError(
    `the address answers HTTP ${status} and points to ${location ?? "nowhere"}`,
    {
      code: "KB_REDIRECTED",
      retryable: "no",
      hint: "Use the address it points to (often https instead of http): a credential is not sent on to another one.",
    },
  );
}

/** A parse or envelope error: nothing was carried out. */
function refused(error: z.output<typeof rpcError>, requests: readonly RpcRequest[]): FabricError {
  return new FabricError(`Kanboard refused the whole request: ${error.message}`, {
    code: "KB_UNEXPECTED_REPLY",
    retryable: error.code <= -32600 ? "no" : afterTheFact(requests),
    hint: "Its log says more.",
    details: { rpcCode: error.code },
  });
}

function notJson(answer: HttpAnswer, requests: readonly RpcRequest[]): FabricError {
  const { status, body } = answer;
  const start = body.trimStart().slice(0, 120);
  if (status === 200 && /^[[{]/.test(start)) {
    return new FabricError(`the answer of Kanboard is cut off after ${body.length} characters`, {
      code: "KB_TRUNCATED",
      retryable: "ambiguous",
      hint: "Look at the log of the web server; Kanboard may have carried the request out: read back.",
    });
  }
  return new FabricError(
    `HTTP ${status} is no answer of Kanboard's API: ${JSON.stringify(start)}`,
    {
      code: "KB_NOT_JSON",
      retryable: status === 200 ? afterTheFact(requests) : "no",
      hint: body.includes('"jsonrpc"')
        ? "PHP prints warnings into the answer: set display_errors=0."
        : "Another page answers: check the address, and whether a proxy in front asks for a login.",
      details: { status },
    },
  );
}

function afterTheFact(requests: readonly RpcRequest[]): Retryable {
  return mayHaveWritten(requests) ? "ambiguous" : "no";
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
