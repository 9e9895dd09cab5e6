// The options of scripts/up in full. The bash stage has refused what is unknown or incomplete.
import { parseArgs } from "node:util";
import { tokenVariable } from "./env-file.ts";

export interface Options {
  /** Address that Kanboard binds; nothing else is ever bound to anything but loopback. */
  listen: string;
  kanboard?: {
    url: string;
    token: string;
    project?: number;
    agent?: { username: string; token: string };
  };
  litellm?: { url: string; key: string; model: string };
  example: boolean;
  yes: boolean;
  force: boolean;
}

/**
 * @param kept variables of the state folder's .env: servers that were given once are used again
 */
export function readOptions(args: string[], kept: Readonly<Record<string, string>>): Options {
  const { values } = parseArgs({
    args,
    options: {
      listen: { type: "string", default: "127.0.0.1" },
      kanboard: { type: "string" },
      token: { type: "string" },
      "queue-project": { type: "string" },
      agent: { type: "string" },
      litellm: { type: "string" },
      key: { type: "string" },
      model: { type: "string" },
      "no-example": { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      force: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
    },
  });
  const options: Options = {
    listen: values.listen,
    example: !values["no-example"],
    yes: values.yes,
    force: values.force,
  };
  if (values.kanboard !== undefined && values.token !== undefined) {
    const project = Number(values["queue-project"]);
    const [username, token] = (values.agent ?? "").split(/:(.*)/s);
    options.kanboard = {
      url: values.kanboard.replace(/\/+$/, ""),
      token: values.token,
      ...(project > 0 && { project }),
      ...(username && token && { agent: { username, token } }),
    };
  }
  if (values.litellm !== undefined && values.key !== undefined && values.model !== undefined) {
    const url = values.litellm.replace(/\/+$/, "").replace(/\/v1$/, "");
    options.litellm = { url, key: values.key, model: values.model };
  }
  return { ...remembered(kept), ...options };
}

/** Through the file and not through arguments, which everybody on the machine can read. */
function remembered(kept: Readonly<Record<string, string>>): Pick<Options, "kanboard" | "litellm"> {
  const external = (kept["FABRIC_EXTERNAL"] ?? "").split(" ");
  const username = kept["FABRIC_CLI_AGENT"] ?? "";
  return {
    ...(external.includes("kanboard") && {
      kanboard: {
        url: kept["KANBOARD_URL"] ?? "",
        token: kept["KANBOARD_APP_TOKEN"] ?? "",
        agent: { username, token: kept[tokenVariable(username)] ?? "" },
      },
    }),
    ...(external.includes("litellm") && {
      litellm: {
        url: kept["LITELLM_URL"] ?? "",
        key: kept["LITELLM_MASTER_KEY"] ?? "",
        model: kept["LITELLM_MODEL"] ?? "",
      },
    }),
  };
}
