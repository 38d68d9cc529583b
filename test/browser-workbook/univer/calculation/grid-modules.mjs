/**
 * For `node --import`: loads the sources of the grid's calculation unchanged, with the grid's real engine, in a process
 * without a page. It uses those packages of the grid that need no page.
 */
import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transformSync } from "@swc/core";

const preset = "@univerjs/preset-sheets-core";
const presetFile = pathToFileURL(createRequire(import.meta.url).resolve(preset)).href;
/** Replacements for packages: each package's address and its source. */
const stands = new Map([
  [
    preset,
    [
      ...["engine-formula", "sheets", "sheets-formula"].map(
        (name) => `export * from "@univerjs/${name}"; import "@univerjs/${name}/lib/facade";`,
      ),
      'export { Font, FontCache } from "@univerjs/engine-render";',
    ],
  ],
  // Reads fonts, for drawing. Only bundlers understand the way in which it names its exports.
  ["opentype.js", ["export const parse = () => null;"]],
]);
const address = (name) => `inv-stand:${name}`;

// Node also runs this file in a separate thread, to resolve modules.
if (isMainThread) register(import.meta.url);

export function resolve(name, context, next) {
  if (stands.has(name)) return { url: address(name), shortCircuit: true };
  if (context.parentURL === address(preset)) return next(name, { ...context, parentURL: presetFile });
  const isSource = name.startsWith(".") && context.parentURL?.endsWith(".ts");
  return next(isSource ? `${name}.ts` : name, context);
}

export function load(url, context, next) {
  for (const [name, lines] of stands) {
    if (url === address(name)) return { format: "module", source: lines.join("\n"), shortCircuit: true };
  }
  if (!url.endsWith(".ts")) return next(url, context);
  const jsc = { parser: { syntax: "typescript" }, target: "es2022" };
  const { code } = transformSync(readFileSync(fileURLToPath(url), "utf8"), { jsc, sourceMaps: "inline" });
  return { format: "module", source: code, shortCircuit: true };
}
