/** A module of the grid's calculation that imports types alone, compiled for a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transformFileSync } from "@swc/core";

export function compiledModule(name: string): { readonly address: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `inv-${name}-`));
  const source = join(__dirname, `../../../../src/playground/grid/calculation/${name}.ts`);
  const compiled = join(folder, `${name}.mjs`);
  writeFileSync(
    compiled,
    transformFileSync(source, { jsc: { parser: { syntax: "typescript" }, target: "es2022" } }).code,
  );
  return {
    address: pathToFileURL(compiled).href,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
