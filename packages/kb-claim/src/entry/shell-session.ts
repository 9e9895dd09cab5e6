// Which session a command belongs to: two shells of one agent on one machine never share a claim.
export interface ProcessFacts {
  pid: number;
  parent: number;
  /** Start of the process in any unit that stays the same while it lives; tells a reused pid from the old process. */
  started: string;
  /** Equal for a process and its parent only when the process was forked without running another program. */
  image: string;
  /** The arguments, each ended by a NUL. */
  command: string;
}

export interface SessionSources {
  /** FABRIC_SESSION, else the id that a coding agent's host gives its shells. */
  named: string | undefined;
  /** True below `npm run` or `pnpm run`, which put processes of their own between the shell and this one. */
  underPackageManager: boolean;
  parent: number;
  boot: string;
  read(pid: number): ProcessFacts | null;
}

const SAFE = /^[A-Za-z0-9._-]{1,40}$/;
/** Deep enough for `shell -> pnpm -> sh -> node` with a few subshells; a bound because /proc may change meanwhile. */
const MAX_CLIMB = 12;

/** @returns a name that is safe as a part of a file name */
export function sessionName(sources: SessionSources): string {
  const { named } = sources;
  if (named !== undefined && named !== "") return SAFE.test(named) ? named : digest(named);
  const shell = findShell(sources);
  const identity = shell ? `${shell.pid}.${shell.started}` : `${sources.parent}`;
  return `${digest(sources.boot)}.${identity.replaceAll(/[^A-Za-z0-9.]/g, "-")}`;
}

function findShell(sources: SessionSources): ProcessFacts | null {
  let found = sources.read(sources.parent);
  if (sources.underPackageManager) found = abovePackageManager(sources, found);
  for (let climbed = 0; found !== null && climbed < MAX_CLIMB; climbed += 1) {
    const parent = sources.read(found.parent);
    // `id=$(kb-claim take | …)` runs in a subshell: the shell's own fork, gone with the command.
    if (parent === null || parent.image === "" || parent.image !== found.image) break;
    found = parent;
  }
  return found;
}

function abovePackageManager(
  sources: SessionSources,
  from: ProcessFacts | null,
): ProcessFacts | null {
  let found = from;
  for (let climbed = 0; found !== null && climbed < MAX_CLIMB; climbed += 1) {
    const isManager = /(?:^|[/\0])(?:pnpm|npm|npx|yarn|corepack)(?:[-.][a-z.-]*)?\0/.test(
      found.command,
    );
    const parent = sources.read(found.parent);
    if (isManager) return parent;
    found = parent;
  }
  return from;
}

/** FNV-1a, 52 bits: names need to differ, nothing here is secret, and loading node:crypto takes 12 ms. */
function digest(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return (hash >> 12n).toString(36);
}
