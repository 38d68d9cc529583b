/**
 * What `npm start`, `npm test` and `npm run excel` need before anything else: the packages of the lock
 * file and a build of the sources as they are. Runs before anything is installed, so it is plain
 * JavaScript over Node alone. Does nothing where nothing has changed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The versions of Node that INV runs on, as `engines` of package.json names them, the one place that does: the
 * oldest in three parts, the newest by its first.
 */
export function nodeVersions() {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [, oldest, beyond] = /^>=(\d+\.\d+\.\d+) <(\d+)$/.exec(engines.node);
  return { oldest, newest: Number(beyond) - 1 };
}

/** Exits with a sentence when this Node cannot run INV. */
export function checkNode() {
  const { oldest, newest } = nodeVersions();
  const least = oldest.split(".").map(Number);
  const version = process.versions.node.split(".").map(Number);
  const different = version.findIndex((part, place) => part !== least[place]);
  const isOld = different >= 0 && version[different] < least[different];
  if (!isOld && version[0] <= newest) return;
  fail(`INV runs on Node ${oldest} to ${newest}; this is Node ${process.versions.node}.`);
}

/** Installs the packages of the lock file, unless npm has done so since that file changed. */
export function install() {
  // npm writes it last of all, however it was called.
  const installed = modifiedAtMs(join("node_modules", ".package-lock.json"));
  if (installed >= modifiedAtMs("package-lock.json")) return;
  console.log("Installing packages (once, about a minute) …");
  run("npm", ["ci", "--loglevel=error", "--no-fund", "--no-audit"], "The packages could not be installed.");
}

/**
 * Builds unless the last build was made from the same sources.
 * @param {{ only?: "server" }} [options] `server`: the two servers without the pages
 */
export function build(options = {}) {
  const stamp = join(root, "dist", options.only === "server" ? ".server-built" : ".built");
  const wanted = digest([
    "package-lock.json",
    "webpack.config.js",
    "tsconfig.json",
    "manifest.xml",
    "src",
    "assets",
  ]);
  if (readIfThere(stamp) === wanted) return;
  console.log(options.only === "server" ? "Building the server …" : "Building (once, about a minute) …");
  const only = options.only ? ["--config-name", options.only] : [];
  const webpack = join("node_modules", "webpack-cli", "bin", "cli.js");
  run(process.execPath, [webpack, "--mode", "production", ...only], "The build failed.");
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Ends with a message for a person. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(command, args, complaint) {
  const shell = process.platform === "win32" && command === "npm";
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", shell });
  if (result.error) fail(`${complaint} ${result.error.message}`);
  if (result.status !== 0) fail(complaint);
}

/** One hash over files and folders, by path and content. */
function digest(paths) {
  const hash = createHash("sha256");
  const add = (path) => {
    const full = join(root, path);
    if (!existsSync(full)) return;
    const entries = readEntries(full);
    if (entries) for (const name of entries.sort()) add(join(path, name));
    else hash.update(path).update(readFileSync(full));
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}

function readEntries(path) {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}

function modifiedAtMs(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
