/** `npm run drills`: builds where something has changed (a server without pages is not ready), compiles the drills and runs them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, root } from "../../src/start/prepare.mjs";
import { compileBench } from "../bench/compile.mjs";

build();
const main = join(compileBench(), "test/drills/main.js");
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
