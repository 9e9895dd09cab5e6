// What a user of this machine has set for apt, pip and npm, and the authorities it trusts, carried into a root.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const PASSED =
  /^(https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|SSL_CERT_FILE|PIP_|npm_config_|NODE_EXTRA_CA_CERTS|UV_)/;

const bundle = process.env["SSL_CERT_FILE"];

/** For root the authorities lie where no program looks by itself, so that the variables alone have to do. */
function place(user: string): string | undefined {
  return user === "root" && bundle !== undefined ? "/opt/authorities.pem" : bundle;
}

export function copyMachineConfiguration(root: string, home: string, user: string): void {
  const own = [".npmrc", ".config/pip/pip.conf", ".pip/pip.conf"];
  const files = [
    ...["/etc/apt/apt.conf.d", "/etc/apt/auth.conf.d", "/etc/resolv.conf", "/etc/hosts"].map(
      (path) => [path, path],
    ),
    ["/etc/pip.conf", "/etc/pip.conf"],
    ...own.map((name) => [join(process.env["HOME"] ?? "/root", name), join(home, name)]),
    [bundle, place(user)],
  ];
  for (const [from, to] of files) if (from && to && existsSync(from)) copy(from, join(root, to));
  for (const [, to] of files)
    if (to && /(pip\.conf|npmrc)$/.test(to)) moveBundle(join(root, to), user);
  // Hooks of packages that are installed here only.
  for (const hook of ["20packagekit", "50appstream"])
    rmSync(join(root, "etc/apt/apt.conf.d", hook), { force: true });
  appendFileSync(join(root, "etc/hosts"), "\n127.0.0.1 localhost\n");
}

/** NAME=value, as env takes them. */
export function passedVariables(user: string): string[] {
  return Object.entries(process.env)
    .filter(([name]) => PASSED.test(name))
    .map(([name, value]) => `${name}=${withBundle(value ?? "", user)}`);
}

function moveBundle(file: string, user: string): void {
  if (existsSync(file)) writeFileSync(file, withBundle(readFileSync(file, "utf8"), user));
}

function withBundle(text: string, user: string): string {
  const to = place(user);
  return bundle === undefined || to === undefined ? text : text.replaceAll(bundle, to);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, dereference: true });
}
