/**
 * Prepares npm's commands: installs the packages of the lock file, and builds the current sources. It runs
 * before anything is installed, so it is plain JavaScript without packages. An old Node runs it far enough
 * to print which versions INV needs. It writes nothing if nothing has changed.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { byOneCommand } from "./one-command.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export const builtFrom = [
  "package-lock.json",
  "webpack.config.js",
  "tsconfig.json",
  "manifest.xml",
  "LICENSE",
  "src",
  "assets",
];

/** The newest major version of Node on which every test has run. */
const newestTested = 26;

/** Returns the oldest Node version that `engines` in package.json allows, in three parts, and the newest tested major version. */
export function nodeVersions() {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { oldest: engines.node.slice(">=".length), newest: newestTested };
}

/** Refuses a Node that is too old, and warns about one that is newer than the tested ones. */
export function checkNode() {
  const { oldest, newest } = nodeVersions();
  const least = oldest.split(".").map(Number);
  const version = process.versions.node.split(".").map(Number);
  const different = version.findIndex((part, place) => part !== least[place]);
  if (different >= 0 && version[different] < least[different]) {
    fail(`INV needs Node ${oldest} or newer; this is Node ${process.versions.node}.`);
  }
  if (version[0] > newest) {
    console.warn(`INV is tested on Node ${oldest} to ${newest}; this is Node ${process.versions.node}.`);
  }
}

/** Installs the packages of the lock file, unless npm has done so since that file changed. */
export function install() {
  // npm writes this file last.
  const isMissing = () =>
    modifiedAtMs(join("node_modules", ".package-lock.json")) < modifiedAtMs("package-lock.json");
  byOneCommand(isMissing, () => {
    console.log("Installing packages (once, about a minute) …");
    run(
      "npm",
      ["ci", "--loglevel=error", "--no-fund", "--no-audit"],
      "The packages could not be installed. See npm's message above, and check your network connection.",
    );
  });
}

/**
 * Builds unless the last build was made from the same sources.
 * @param {object} [options]
 * @param {boolean} [options.isForced] builds even if nothing has changed
 */
export function build({ isForced = false } = {}) {
  const dist = join(root, "dist");
  const stamp = join(dist, ".built");
  const sources = digest(builtFrom);
  const lists = process.env.INV_ARGUMENT_LISTS === "0" ? " without lists" : "";
  const expectedStamp = `${sources}${lists}`;
  const outputs = [join(dist, "server.js"), join(dist, "app", "workbook.html")];
  const isMissing = () =>
    isForced || readIfThere(stamp) !== expectedStamp || !outputs.every((path) => existsSync(path));
  byOneCommand(isMissing, () => {
    console.log("Building (once, about a minute) …");
    // From here on, dist may contain parts of two builds.
    mkdirSync(dist, { recursive: true });
    writeFileSync(stamp, "");
    const webpack = join("node_modules", "webpack-cli", "bin", "cli.js");
    run(process.execPath, [webpack, "--mode", "production"], "The build failed.");
    writeFileSync(stamp, expectedStamp);
  });
}

/**
 * Builds into another folder, with the pane that can check Excel. webpack's cache makes the next build fast.
 */
export function buildForExcel(out) {
  console.log("Building (the first time about a minute) …");
  const webpack = join("node_modules", "webpack-cli", "bin", "cli.js");
  const flags = ["--mode", "production", "--env", `out=${out}`, "--env", "checks"];
  run(process.execPath, [webpack, ...flags], "The build failed.");
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(command, args, failure) {
  const shell = process.platform === "win32" && command === "npm";
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", shell });
  if (result.error) fail(`${failure} ${result.error.message}`);
  if (result.status !== 0) fail(failure);
}

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
