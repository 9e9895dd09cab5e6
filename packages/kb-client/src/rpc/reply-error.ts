// What an error inside a reply means. Kanboard commits the row before its listeners (statistics, notifications) run,
// so an error answer to a write often belongs to a write that is done.
import { FabricError } from "../errors.ts";
import type { Procedure } from "./procedure.ts";

interface ReplyError {
  code: number;
  message: string;
  data?: unknown;
}

export function replyError(
  procedure: Pick<Procedure<unknown>, "method" | "kind">,
  error: ReplyError,
): FabricError {
  const { method } = procedure;
  const { code, retryable, hint } = kindOf(error);
  return new FabricError(`${method}: ${error.message}`, {
    code,
    retryable,
    hint,
    details: {
      method,
      rpcCode: error.code,
      ...(error.data === undefined ? {} : { data: error.data }),
    },
  });
}

function kindOf({ code, message }: ReplyError): Pick<FabricError, "code" | "retryable"> & {
  hint: string;
} {
  if (code === -32601) {
    return {
      code: "KB_UNKNOWN_METHOD",
      retryable: "no",
      hint: "This Kanboard does not know the method: compare its version, or a plugin is missing.",
    };
  }
  if (code === -32602) {
    return {
      code: "KB_BAD_PARAMS",
      retryable: "no",
      hint: "Kanboard refused the parameters before it did anything.",
    };
  }
  if (message.includes("database is locked")) {
    return {
      code: "KB_LOCKED",
      retryable: "ambiguous",
      hint: "SQLite was busy. The write itself may be done, only what follows it was skipped: read back.",
    };
  }
  if (/SQL Error\[40001\]|SQL Error\[40P01\]|\b1213\b|deadlock/i.test(message)) {
    return {
      code: "KB_DEADLOCK",
      retryable: "ambiguous",
      hint: "Two writers met. The write itself may be done, only what follows it was skipped: read back.",
    };
  }
  if (message.startsWith("SQL Error")) {
    const tooLong = message.includes("22001");
    return {
      code: "KB_SQL_ERROR",
      retryable: tooLong ? "no" : "ambiguous",
      hint: tooLong
        ? "A value is longer than this database's column."
        : "The database refused. The row may have been written before: read back.",
    };
  }
  return {
    code: "KB_UNEXPECTED_REPLY",
    retryable: code <= -32000 ? "no" : "ambiguous",
    hint: "Kanboard answered with an error that is not known here; its log says more.",
  };
}
