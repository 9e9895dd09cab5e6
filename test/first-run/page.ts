// docs/first-run.md, made from what a run in an empty Debian said.
import type { StepResult } from "./run-scenario.ts";

export interface Shown {
  suite: string;
  first: StepResult;
  again: StepResult;
  offline: StepResult;
  down: StepResult;
}

export function firstRunPage({ suite, first, again, offline, down }: Shown): string {
  return `# First run, timed

<!-- Made by test/first-run from a real run; change the test, not the page. -->

The smallest Debian ${suite} that debootstrap makes (no Python, Node, curl or pip in it), a checkout, a plain
user without sudo, and one command. Two processor cores, package registries at normal speed.

| step | seconds |
|---|---|
| \`scripts/up\`, first run, with the example answered | ${first.seconds.toFixed(0)} |
| \`scripts/up\` again while everything runs | ${again.seconds.toFixed(0)} |
| \`scripts/down\` | ${down.seconds.toFixed(0)} |
| \`scripts/up\` after that, without network | ${offline.seconds.toFixed(0)} |

What it says:

\`\`\`
$ scripts/up
${clean(first.output)}
\`\`\`

Without network, everything stopped before:

\`\`\`
$ scripts/up
${clean(offline.output)}
\`\`\`
`;
}

/** Without what differs from machine to machine, or is secret. */
function clean(output: string): string {
  return output
    .trimEnd()
    .replaceAll(/(Debian +)\S+( answers)/g, "$1your mirror$2")
    .replaceAll(/password [a-z0-9]{16}/g, "password ****************")
    .replaceAll(/^(  ssh -L .* )\S+@\S+$/gm, "$1you@this-machine");
}
