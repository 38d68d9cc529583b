/**
 * Writes two notices: `third-party-notices.txt` has the licence of every package that the pages' scripts
 * contain or the server loads. `sbom.cdx.json` has the same packages as a bill of materials (CycloneDX 1.5).
 * The pages' packages come from webpack's modules, the server's from the lock file. The page build that ends
 * last writes both files next to the pages, so that the server serves them.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { bomOf, noticesOf } = require("./notices-text.cjs");

/** Returns a function that creates the plugin for each of these builds. `root` is the project's folder. */
exports.createNotices = function createNotices({ root, folder, builds }) {
  const found = new Map();
  return (name) => ({
    apply(compiler) {
      compiler.hooks.done.tap("INV notices", ({ compilation }) => {
        if (compilation.errors.length > 0) return;
        found.set(name, packageFolders(compilation));
        if (!builds.every((build) => found.has(build))) return;
        const folders = new Set([
          ...[...found.values()].flatMap((some) => [...some]),
          ...serverFolders(root),
        ]);
        const read = [...folders].map(readPackage).map((one) => [`${one.name}@${one.version}`, one]);
        const packages = [...new Map(read).values()].sort(byName);
        fs.writeFileSync(path.join(folder, "third-party-notices.txt"), noticesOf(packages));
        const own = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
        fs.writeFileSync(path.join(folder, "sbom.cdx.json"), bomOf(own, packages));
      });
    },
  });
};

/** Returns the folders of all modules in chunks, concatenated modules included. */
function packageFolders({ modules, chunkGraph }) {
  const folders = new Set();
  const add = (module) => {
    for (const inner of module.modules ?? []) add(inner);
    const folder = folderOf(module.nameForCondition?.() ?? "");
    if (folder !== null) folders.add(folder);
  };
  for (const module of modules) if (chunkGraph.getNumberOfModuleChunks(module) > 0) add(module);
  return folders;
}

/** Returns the folder after the last `node_modules`, or null for INV's own files. */
function folderOf(file) {
  const parts = file.split(/[\\/]/);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return null;
  return parts.slice(0, at + (parts[at + 1]?.startsWith("@") ? 3 : 2)).join(path.sep);
}

/** Returns the package folders of an installation without development packages. */
function serverFolders(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([place, entry]) => place !== "" && !entry.dev && !entry.devOptional)
    .map(([place]) => path.join(root, place))
    .filter((place) => fs.existsSync(place));
}

function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(
    fs.readFileSync(path.join(folder, "package.json"), "utf8"),
  );
  const texts = fs
    .readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .sort()
    .map((file) => fs.readFileSync(path.join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  const by = typeof author === "string" ? author : (author?.name ?? "");
  return { name, version, license: typeof license === "string" ? license : "", by, texts };
}

function byName(one, other) {
  return one.name.localeCompare(other.name, "en") || one.version.localeCompare(other.version, "en");
}
