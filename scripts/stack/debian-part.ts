// The parts that come as Debian packages: Kanboard with its PHP, and llama.cpp's server.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bringIcons } from "./board-icons.ts";
import type { Layout } from "./layout.ts";
import type { Part } from "./part.ts";
import { runCommand } from "./run-command.ts";

export function boardPart(layout: Layout): Part {
  return fromDebian(layout, "board", "Kanboard and its PHP");
}

export function llamaPart(layout: Layout): Part {
  return fromDebian(layout, "llama", "llama.cpp's server");
}

/** Once before both, because two updates of one index would meet on its lock. */
export async function updateIndex(layout: Layout): Promise<void> {
  await unpack(layout, "index", ["update"]);
}

function fromDebian(layout: Layout, name: "board" | "llama", title: string): Part {
  return {
    name,
    title,
    debian: true,
    recipe: ["unpack-debian.sh", "board-icons.ts"]
      .map((file) => readFileSync(join(layout.stack, file), "utf8"))
      .join(""),
    make: async (folder) => {
      const versions = await unpack(layout, name, [name, folder, layout.part(name)]);
      if (name === "board") await bringIcons(folder);
      await writeFile(join(folder, "versions"), versions);
    },
  };
}

function unpack(layout: Layout, name: string, args: readonly string[]): Promise<string> {
  return runCommand("bash", [join(layout.stack, "unpack-debian.sh"), ...args], {
    log: layout.log(`unpack-${name}`),
    failing: "Debian's packages could not be fetched",
  });
}
