/**
 * Writes two notices: `third-party-notices.txt` has the licence of every package that the pages' scripts
 * contain or the server loads. `sbom.cdx.json` has the same packages as a bill of materials (CycloneDX 1.5).
 * The pages' packages come from webpack's modules, the server's from the lock file. The page build that ends
 * last writes both files next to the pages, so that the server serves them. The same packages give the same
 * bytes: no date, no random number. A package without a licence fails the build, so that none is included unnoticed.
 */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

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
        const app = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
        fs.writeFileSync(path.join(folder, "sbom.cdx.json"), bomOf(app, packages));
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

/** Returns one part for each package: its name, its licence and its texts. */
function noticesOf(packages) {
  return [
    "INV contains or uses the work of others, under the licences below. INV's own licence is in LICENSE.txt.",
    "",
    ...packages.map(
      (one) =>
        `${"-".repeat(80)}\n${one.name} ${one.version}\nLicence: ${licenceOf(one)}\n\n${licenceTextOf(one, packages)}\n`,
    ),
  ].join("\n");
}

function bomOf(app, packages) {
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${app.name}@${app.version}`,
        name: app.name,
        version: app.version,
        licenses: [{ expression: app.license }],
      },
    },
    components: packages.map((one) => {
      const purl = `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`;
      const { name, version } = one;
      return {
        type: "library",
        "bom-ref": purl,
        name,
        version,
        licenses: [{ expression: licenceOf(one) }],
        purl,
      };
    }),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function licenceOf({ name, license, texts }) {
  if (license === "" && /^\s*Apache License\s+Version 2\.0/.test(texts[0] ?? "")) return "Apache-2.0";
  if (license === "") {
    throw new Error(`The package ${name} has no licence. Check it before you distribute it.`);
  }
  return license;
}

function licenceTextOf({ name, license, by, texts }, packages) {
  if (texts.length > 0) return texts.join("\n\n");
  const text = short[license];
  if (text !== undefined) return text.replace("<holder>", by === "" ? `the authors of ${name}` : by);
  // Apache's text is the same in every package.
  const apache = packages.find((one) => one.license === "Apache-2.0" && one.texts.length > 0);
  if (license === "Apache-2.0" && apache !== undefined) return apache.texts[0];
  throw new Error(`The package ${name} has no text of its licence ${license}.`);
}

const iscText = `Copyright (c) <holder>

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING
ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL,
DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE
USE OR PERFORMANCE OF THIS SOFTWARE.`;

const mitText = `Copyright (c) <holder>

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of
the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.`;

/** Texts of licences that some packages name without including the text. */
const short = { ISC: iscText, MIT: mitText };
