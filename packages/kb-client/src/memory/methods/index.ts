// All procedures of the in-memory board by their name in the API.
import type { Methods } from "../method.ts";
import { method } from "../method.ts";
import { commentMethods } from "./comments.ts";
import { fileMethods } from "./files.ts";
import { layoutMethods } from "./layout.ts";
import { linkMethods } from "./links.ts";
import { metadataMethods } from "./metadata.ts";
import { moveMethods } from "./moves.ts";
import { projectMethods } from "./projects.ts";
import { tagMethods } from "./tags.ts";
import { taskMethods } from "./tasks.ts";
import { userMethods } from "./users.ts";

/** The Kanboard that this imitates; the conformance suite compares with the real one. */
const VERSION = "1.2.51";

export const METHODS: Methods = {
  ...taskMethods,
  ...moveMethods,
  ...commentMethods,
  ...tagMethods,
  ...metadataMethods,
  ...fileMethods,
  ...layoutMethods,
  ...userMethods,
  ...projectMethods,
  ...linkMethods,
  getVersion: method({}, () => VERSION),
  getTimezone: method({}, (call) =>
    call.caller.kind === "user"
      ? (call.caller.user.timezone ?? call.applicationZone)
      : call.applicationZone,
  ),
};
