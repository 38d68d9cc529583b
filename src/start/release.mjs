/**
 * `npm run release`: makes what an administrator gets, in dist/release: the archive of the current sources, its SHA-256 in
 * the format of `sha256sum --check`, and the bill of materials (CycloneDX). The archive serves any address.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, checkNode, fail, install, root } from "./prepare.mjs";

checkNode();
install();
build();

const folder = join(root, "dist", "release");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const packing = spawnSync("npm", ["pack", "--silent", "--pack-destination", folder], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
  shell: process.platform === "win32",
});
if (packing.status !== 0) fail("npm pack failed. Its message is above.");
const archive = packing.stdout.trim().split(/\r?\n/).at(-1);
const digest = createHash("sha256")
  .update(readFileSync(join(folder, archive)))
  .digest("hex");
writeFileSync(join(folder, `${archive}.sha256`), `${digest}  ${archive}\n`);
const materials = archive.replace(/\.tgz$/, ".sbom.cdx.json");
copyFileSync(join(root, "dist", "app", "sbom.cdx.json"), join(folder, materials));
console.log(`Made in dist/release:\n  ${archive}\n  ${archive}.sha256\n  ${materials}`);
