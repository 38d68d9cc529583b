/** The engine's index of values, made quick, answers as it did before; see `value-index-check`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transformFileSync } from "@swc/core";

it("finds the same rows for every value, and looks through no column for a row that is new to it", () => {
  const folder = mkdtempSync(join(tmpdir(), "inv-value-index-"));
  const source = join(__dirname, "../../../../src/playground/grid/calculation/value-index.ts");
  const compiled = join(folder, "value-index.mjs");
  writeFileSync(
    compiled,
    transformFileSync(source, { jsc: { parser: { syntax: "typescript" }, target: "es2022" } }).code,
  );
  const check = join(__dirname, "value-index-check.mjs");
  execFileSync(process.execPath, [check, pathToFileURL(compiled).href], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  rmSync(folder, { recursive: true });
});
