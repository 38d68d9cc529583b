/**
 * `npm run validate`: checks the manifest of the sources, and the built one if it exists, for mistakes that
 * Microsoft's schema doesn't find. A build for any address other than the development address counts as
 * production.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const { checkManifest } = createRequire(import.meta.url)("../build/manifest-check.cjs");
const built = join(root, "dist", "app");
const sources = {
  manifest: join(root, "manifest.xml"),
  read: (path) => fileOrNull(join(root, path)),
  bundle: readFileSync(join(root, "src", "addin", "command-queue.ts"), "utf8"),
};

let faults = 0;
check("manifest.xml", sources);
if (existsSync(join(built, "manifest.xml"))) {
  const scripts = readdirSync(built).filter((name) => /^addin.*\.js$/.test(name));
  check("dist/app/manifest.xml", {
    manifest: join(built, "manifest.xml"),
    read: (path) => fileOrNull(join(built, path)),
    bundle: scripts.map((name) => readFileSync(join(built, name), "utf8")).join("\n"),
  });
}
process.exit(faults === 0 ? 0 : 1);

function check(name, { manifest, read, bundle }) {
  const text = readFileSync(manifest, "utf8");
  const production = !text.includes("https://localhost:3000/taskpane.html");
  const found = checkManifest(text, { production, read, bundle });
  faults += found.length;
  for (const fault of found) console.error(`${name}: ${fault}`);
  if (found.length === 0) console.log(`${name}: nothing to complain of.`);
}

function fileOrNull(path) {
  return existsSync(path) ? readFileSync(path) : null;
}
