// Settings and accounts of a Kanboard that is ours alone.
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import {
  databaseFile,
  type OwnerPassword,
  readSetting,
  replaceDefaultPassword,
  writeSetting,
} from "./kanboard-database.ts";
import { setUserToken } from "./kanboard-server.ts";
import type { Layout } from "./layout.ts";
import { machineLanguage, machineTimezone } from "./machine-locale.ts";
import type { Progress } from "./progress.ts";
import type { Account, Secrets } from "./secrets.ts";

/** The address that people open; of a wildcard the machine's first outside address. */
export function publicUrl(listen: string, port: number): string {
  const wildcard = listen === "0.0.0.0" || listen === "::";
  const host = wildcard ? (outsideAddress() ?? "127.0.0.1") : listen;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}

function outsideAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find((address) => address.family === "IPv4" && !address.internal)?.address;
}

/** Before the first card exists, so that columns and dates are born in the owner's language and zone. */
export function prepareOwnBoard(
  layout: Layout,
  secrets: Secrets,
  url: string,
  progress: Progress,
): OwnerPassword {
  const password = replaceDefaultPassword(layout, secrets.ownerPassword);
  if (password === "replaced") {
    const zone = machineTimezone();
    const language = machineLanguage(join(layout.part("board"), "kanboard"));
    progress.say(
      `  Kanboard takes this machine's time zone ${zone} and ${language ? `language ${language}` : "English"} (Settings > Application settings)`,
    );
    writeSetting(layout, "application_timezone", zone);
    if (language) writeSetting(layout, "application_language", language);
  }
  // Links in notifications and comments are built from it.
  if (readSetting(layout, "application_url") !== url) writeSetting(layout, "application_url", url);
  return password;
}

/** Kanboard's API makes accounts, but no tokens for them. */
export function giveTokens(layout: Layout, accounts: readonly Account[]): void {
  for (const { username, token } of accounts) setUserToken(databaseFile(layout), username, token);
}
