// Runs a command of the set-up to its end, with its output in a log file.
import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { EXIT, Stop } from "./stop.ts";

/** Descriptor that state-folder.sh opens. */
const LOCK = 9;

interface CommandOptions {
  log: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** What could not be fetched or done when it fails, for the message. */
  failing: string;
}

/** @returns standard output; standard error goes to the log */
export async function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const log = openSync(options.log, "w");
  try {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["ignore", "pipe", log, ...lock()],
    });
    let said = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (said += text));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (code === 0) return said;
  } finally {
    closeSync(log);
  }
  throw new Stop(EXIT.unreachable, options.failing, [
    ...lastLines(options.log, 6),
    `The whole output is in ${options.log}.`,
    "Run scripts/up again: finished parts are kept.",
  ]);
}

/** The lock of state-folder.sh, so that a command which outlives a killed scripts/up still holds it. */
function lock(): number[] {
  try {
    fstatSync(LOCK);
    return [LOCK];
  } catch {
    return [];
  }
}

export function lastLines(file: string, count: number): string[] {
  try {
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    return lines.slice(-count).map((line) => line.slice(0, 300));
  } catch {
    return [];
  }
}
