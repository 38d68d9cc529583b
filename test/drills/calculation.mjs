/**
 * `npm run drills -- calculation`: random edits of workbooks that the grid's real engine calculates, in a process without
 * a page. It starts with a random seed. INV_SEED repeats a seed; INV_RUNS sets the number of rounds.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../src/start/prepare.mjs";

export function runCalculation() {
  const { INV_SEED = String(randomInt(2 ** 31)), INV_RUNS = "200" } = process.env;
  console.log(`INV_SEED=${INV_SEED} INV_RUNS=${INV_RUNS}`);
  const modules = pathToFileURL(join(root, "test/browser-workbook/univer/calculation/grid-modules.mjs")).href;
  const { status } = spawnSync(
    process.execPath,
    ["--import", modules, join(root, "test/drills/calculation/main.ts")],
    { cwd: root, stdio: "inherit", env: { ...process.env, INV_SEED, INV_RUNS } },
  );
  process.exitCode = status ?? 1;
}
