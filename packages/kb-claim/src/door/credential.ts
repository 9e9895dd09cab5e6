// Which account a shell acts as. The identity is the account behind the token; names only choose among the tokens that
// this user's `.env` holds.
import { FabricError } from "@agap/kb-client";
import { parse } from "dotenv";
import type { Environment } from "../entry/environment.ts";

export interface Credential {
  username: string;
  token: string;
}

/** `owner-cli` -> `KANBOARD_TOKEN_OWNER_CLI`. */
export function tokenVariable(account: string): string {
  return `KANBOARD_TOKEN_${account.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

/**
 * @param dotenv text of the state folder's `.env`; FABRIC_CLI_AGENT names the account of this user's own shell
 * @throws FabricError `CLI_NO_CREDENTIAL`
 */
export function chooseCredential(
  environment: Pick<Environment, "account" | "tokens" | "home">,
  dotenv: string,
): Credential {
  const file = parse(dotenv);
  const username = environment.account ?? file["FABRIC_CLI_AGENT"];
  const where = `${environment.home ?? ""}/.env`;
  if (!username) {
    throw new FabricError("no account is chosen for this shell", {
      code: "CLI_NO_CREDENTIAL",
      retryable: "no",
      hint: `Set FABRIC_AGENT, or FABRIC_CLI_AGENT in ${where}; scripts/up writes the latter.`,
    });
  }
  const variable = tokenVariable(username);
  const token = environment.tokens[variable] || file[variable];
  if (!token) {
    throw new FabricError(`there is no token for the account ${username}`, {
      code: "CLI_NO_CREDENTIAL",
      retryable: "no",
      hint: `Put ${variable}=… into ${where}: the account's API access token (its profile > API).`,
    });
  }
  return { username, token };
}
