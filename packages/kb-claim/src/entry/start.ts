// Runs one command in this process: environment, signals, streams, exit code.
import { run } from "../program.ts";
import { openDoor } from "../door/door.ts";
import { systemBootClock } from "../lease/boot-clock.ts";
import { readEnvironment } from "./environment.ts";
import { systemPorts } from "./ports.ts";
import { readProcess } from "./process-facts.ts";

export async function start(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Error("interrupted"));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  // A reader that has seen enough (`kb-claim next | head -1`) is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  const exit = await run(args, {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    stdin: readStdin,
    signal: interrupt.signal,
    openDoor: async () => {
      const environment = readEnvironment({
        env,
        cwd: process.cwd(),
        self: process.argv[1] ?? "",
        process: { parent: process.ppid, boot: systemBootClock().boot, read: readProcess },
      });
      return openDoor(environment, systemPorts(environment.hasProxy, interrupt.signal));
    },
  });
  process.exitCode = exit;
}

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
