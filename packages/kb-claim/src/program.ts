// The command line as a whole: which verb is meant, how it is run, and with which code it ends.
import { Command, CommanderError } from "commander";
import type { Act } from "./commands/act.ts";
import { COMMANDS } from "./commands/index.ts";
import type { Door } from "./door/door.ts";
import { EXIT, EXIT_MEANINGS, type Exit } from "./exit-codes.ts";
import { fault, refuse } from "./output/answer.ts";
import { print, type Streams } from "./output/print.ts";

export interface Shell extends Streams {
  /** Opened when a verb runs, not for help. */
  openDoor(): Promise<Door>;
  stdin(): Promise<Buffer>;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
}

/** @param args without the program's own name */
export async function run(args: readonly string[], shell: Shell): Promise<Exit> {
  let exit: Exit = EXIT.ok;
  const act: Act = async (verb, options, work) => {
    const answer = await shell
      .openDoor()
      .then((door) => work(door, { stdin: shell.stdin }))
      .catch((error: unknown) => (shell.signal.aborted ? interrupted() : fault(error)));
    exit = answer.exit;
    print(verb, answer, shell, options.json === true);
  };
  const program = await declare(args[0], act);
  const output = { writeOut: shell.out, writeErr: () => undefined };
  for (const command of [program, ...program.commands]) command.configureOutput(output);
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for ends with 0; commander gives 1 to every misuse.
    if (error.exitCode === 0) return EXIT.ok;
    const verb = args[0] !== undefined && Object.hasOwn(COMMANDS, args[0]) ? args[0] : "";
    print(verb, misused(verb, error), shell, args.includes("--json"));
    return EXIT.usage;
  }
  return exit;
}

/** Only the verb that is meant; all of them where the first argument names none, for the help. */
async function declare(verb: string | undefined, act: Act): Promise<Command> {
  const program = emptyProgram();
  const one = verb !== undefined && Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
  const loaders = one ? [one] : Object.values(COMMANDS);
  for (const load of loaders) program.addCommand((await load())(act).exitOverride());
  return program;
}

export function emptyProgram(): Command {
  const codes = EXIT_MEANINGS.map(([code, meaning]) => `  ${`${code}`.padStart(3)}  ${meaning}`);
  return new Command("kb-claim")
    .description("Tasks on a Kanboard board: submit them, take them under a lease, finish them")
    .exitOverride()
    .showHelpAfterError(false)
    .option("-V, --version", "print the version")
    .addHelpText("after", `\nExit codes:\n${codes.join("\n")}`);
}

function misused(verb: string, error: CommanderError): ReturnType<typeof refuse> {
  const what = error.code === "commander.help" ? "no verb was given" : error.message;
  const help = `kb-claim ${verb === "" ? "" : `${verb} `}--help shows how it is used.`;
  return refuse(EXIT.usage, "CLI_USAGE", what.replace(/^error: /, "").replaceAll("\n", " "), help);
}

function interrupted(): ReturnType<typeof refuse> {
  return refuse(
    EXIT.interrupted,
    "CLI_INTERRUPTED",
    "interrupted",
    "What was sent may have arrived: kb-claim lease-status says what you hold.",
  );
}
