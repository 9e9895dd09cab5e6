// Reads what the system knows of a process; Linux by /proc, others by ps.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ProcessFacts } from "./shell-session.ts";

export function readProcess(pid: number): ProcessFacts | null {
  if (pid <= 0) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    return parseStat(pid, stat, command);
  } catch {
    return process.platform === "linux" ? null : readByPs(pid);
  }
}

/** The program's name is in parentheses and may hold any character, so fields are counted from the last one. */
export function parseStat(pid: number, stat: string, command: string): ProcessFacts {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // proc(5) counts from 1 with pid and name first: field n is fields[n - 3].
  const field = (n: number): string => fields[n - 3] ?? "";
  // Start of the code and of the stack: random for every program that is run, inherited by a mere fork. Processes that
  // this user may not inspect show 0 or 1.
  const image = Number(field(28)) > 1 ? `${field(26)}.${field(28)}` : "";
  return { pid, parent: Number(field(4)), started: field(22), image, command };
}

function readByPs(pid: number): ProcessFacts | null {
  try {
    const line = execFileSync("ps", ["-o", "ppid=,lstart=,command=", "-p", `${pid}`], {
      encoding: "utf8",
    });
    const match = /^\s*(\d+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.*)$/.exec(line.trimEnd());
    if (!match) return null;
    const [, parent = "0", started = "", command = ""] = match;
    return {
      pid,
      parent: Number(parent),
      started,
      image: "",
      command: command.replaceAll(" ", "\0"),
    };
  } catch {
    return null;
  }
}
