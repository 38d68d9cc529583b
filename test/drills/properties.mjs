/**
 * `npm run drills -- properties`: every property with a random seed. It prints the seed, and INV_SEED repeats it. Properties
 * that read their number of runs from INV_RUNS make many. Exits with 1 if a property fails.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { root } from "../../src/start/prepare.mjs";

export function runProperties() {
  const { INV_SEED = String(randomInt(2 ** 31)), INV_RUNS = "3000" } = process.env;
  console.log(`INV_SEED=${INV_SEED} INV_RUNS=${INV_RUNS}`);
  const related = ["--findRelatedTests", "test/helpers/properties.ts"];
  const { status } = spawnSync(
    process.execPath,
    [join(root, "node_modules/jest/bin/jest.js"), ...related, "--selectProjects", "unit", "--silent"],
    { cwd: root, stdio: "inherit", env: { ...process.env, INV_SEED, INV_RUNS } },
  );
  process.exitCode = status ?? 1;
}
