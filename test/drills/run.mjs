/**
 * `npm run drills`: installs and builds what is missing (a server without pages is not ready), compiles the drills and
 * runs them.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, checkNode, install, root } from "../../src/start/prepare.mjs";

checkNode();
install();
build();
const { compileBench } = await import("../bench/compile.mjs");
const main = join(compileBench(), "test/drills/main.js");
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
