// The machine's time zone and language, as Kanboard names them.
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

export function machineTimezone(): string {
  const candidates = [process.env["TZ"], fromLink(), fromFile()];
  return candidates.find((zone) => isZone(zone)) ?? "UTC";
}

function isZone(zone: string | undefined): zone is string {
  if (!zone || zone.startsWith(":")) return false;
  try {
    Intl.DateTimeFormat(undefined, { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Kanboard's name of a language, such as de_DE; null means its own default, English. */
export function machineLanguage(kanboard: string): string | null {
  const wanted = process.env["LC_ALL"] || process.env["LC_MESSAGES"] || process.env["LANG"] || "";
  const [name = ""] = wanted.split(/[.@]/);
  const [language = ""] = name.split("_");
  if (language.length !== 2 || language === "en") return null;
  const known = readdirSync(join(kanboard, "app", "Locale"));
  return (
    known.find((folder) => folder === name) ??
    known.find((folder) => folder.startsWith(`${language}_`)) ??
    null
  );
}

function fromLink(): string | undefined {
  try {
    return realpathSync("/etc/localtime").split("/zoneinfo/")[1];
  } catch {
    return undefined;
  }
}

function fromFile(): string | undefined {
  try {
    return readFileSync("/etc/timezone", "utf8").trim();
  } catch {
    return undefined;
  }
}
