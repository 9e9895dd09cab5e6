// Renders docs/cli.md from the commands themselves. `node packages/kb-claim/cli-page.ts` writes it.
import { writeFileSync } from "node:fs";
import { COMMANDS, EXIT_MEANINGS } from "./src/index.ts";

const PREFACE = `# kb-claim: the shell's way into the fabric

Generated from the commands by \`node packages/kb-claim/cli-page.ts\`.

\`\`\`
kb-claim submit "Name three uses of a paper clip." --queue local --wait
kb-claim take --queue local
kb-claim done --note "Holding paper, resetting routers, opening SIM trays."
\`\`\`

## Who you are, and what you hold

- \`kb-claim\` acts as one Kanboard account: FABRIC_AGENT, else FABRIC_CLI_AGENT of the state folder's \`.env\`. Its token is
  KANBOARD_TOKEN_<ACCOUNT> there (\`owner-cli\` -> KANBOARD_TOKEN_OWNER_CLI). The account behind the token is who did it.
- The state folder is FABRIC_HOME, else the nearest \`.fabric\` upward, else the one that this program was installed for.
- A claim belongs to the session that made it: FABRIC_SESSION, else CLAUDE_CODE_SESSION_ID, else the shell that runs the
  command. Its lease is a file of mode 600 under \`leases/\`; no other session can finish, renew or release it (exit 11).
- The queue's lease counts, because its workers take back what is not renewed: \`take\` says until when to \`renew\`. After that
  no renewal is sent any more (exit 12); \`done\` still counts as long as nobody was faster.
- A claim is written down before it is sent. When a command dies in between, the next \`take\` or \`lease-status\` of the same
  session finds out whether it was won.

## Output

Plain text with the next useful command last; with \`--json\` one object \`{"v":1,"verb":…,"exit":…}\`. Refusals go to the error
stream: a sentence, what to do, and the code of [errors.md](errors.md); with \`--json\` as \`{"v":1,…,"error":{"code","message","hint"}}\`.
A card's text is printed verbatim between \`--- spec ---\` and \`--- end of spec ---\`; only characters that would steer a terminal are
shown as their code points, such as \`<U+001B>\`.

| exit | meaning |
|---|---|
`;

export async function cliPage(): Promise<string> {
  const codes = EXIT_MEANINGS.map(([code, meaning]) => `| ${code} | ${meaning} |`).join("\n");
  const verbs: string[] = [];
  for (const load of Object.values(COMMANDS)) {
    const command = (await load())(async () => undefined);
    command.configureHelp({ helpWidth: 100 });
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 });
    command.outputHelp();
    const usage = help.replace(/^Usage: /, "Usage: kb-claim ").trimEnd();
    verbs.push(`## ${command.name()}\n\n\`\`\`\n${usage}\n\`\`\`\n`);
  }
  return `${PREFACE}${codes}\n\n${verbs.join("\n")}`;
}

if (import.meta.main) {
  writeFileSync(new URL("../../docs/cli.md", import.meta.url), await cliPage());
}
