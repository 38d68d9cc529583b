/** Compiles the sources, the bench and the drills to CommonJS in a cache folder. */
import { transformFileSync } from "@swc/core";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["src", "test/helpers", "test/excel", "test/bench", "test/drills"];

/** Returns the folder with the compiled files. It is inside node_modules, so that Node finds packages from there. */
export function compileBench() {
  const out = join(root, "node_modules/.cache/inv-bench");
  rmSync(out, { recursive: true, force: true });
  for (const folder of folders) {
    for (const file of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath ?? file.path, file.name);
      if (file.isFile() && file.name.endsWith(".json")) {
        cpSync(path, join(out, relative(root, path)));
      }
      if (!file.isFile() || !file.name.endsWith(".ts")) continue;
      const { code } = transformFileSync(path, {
        jsc: { parser: { syntax: "typescript" }, target: "es2022" },
        module: { type: "commonjs" },
      });
      const target = join(out, relative(root, path)).replace(/\.ts$/, ".js");
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, code);
    }
  }
  return out;
}
