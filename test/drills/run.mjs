/**
 * `npm run drills`: installs and builds what is missing (a server without pages is not ready), compiles the drills and
 * runs them. Four drills run alone: `npm run drills -- mutations` adds faults to copies of the sources, `-- properties` starts
 * all properties with another seed, `-- calculation` edits browser workbooks at random, and `-- stories` runs long browser tests.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, checkNode, install, root } from "../../src/start/prepare.mjs";

const [first, ...names] = process.argv.slice(2);
checkNode();
install();
if (first === "mutations") {
  const { runMutations } = await import("../mutations/run.mjs");
  await runMutations(names);
} else if (first === "properties") {
  const { runProperties } = await import("./properties.mjs");
  runProperties();
} else if (first === "calculation") {
  const { runCalculation } = await import("./calculation.mjs");
  runCalculation();
} else if (first === "stories") {
  build();
  const jest = join(root, "node_modules/jest/bin/jest.js");
  const flags = ["--selectProjects", "stories", "--maxWorkers", "1"];
  const { status } = spawnSync(process.execPath, [jest, ...flags], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  build();
  const { compileBench } = await import("../bench/compile.mjs");
  const main = join(compileBench(), "test/drills/main.js");
  const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
