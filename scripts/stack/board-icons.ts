// The icons of Kanboard's pages. Its styles ask for the webfont of Font Awesome 4.7; Debian's package of the font has
// moved on and no longer holds it, so it comes from the font's own package.
import { cp, mkdir, readdir, realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const WEBFONT = /^fontawesome-webfont\.(eot|svg|ttf|woff2?)$/;

/** @param board folder of the unpacked board */
export async function bringIcons(board: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve("font-awesome/package.json");
  const from = join(dirname(await realpath(manifest)), "fonts");
  // Where assets/fonts of the package points to.
  const to = join(board, "usr", "share", "fonts-font-awesome", "fonts");
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (WEBFONT.test(name)) await cp(join(from, name), join(to, name), { dereference: true });
  }
}
