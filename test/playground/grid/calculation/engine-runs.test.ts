/** The grid's calculations, one at a time, over its real engine; see `engine-runs-check`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

it("calculates what it was asked for, also where an edit stops a run that finds nothing, or the engine fails", () => {
  const modules = pathToFileURL(join(__dirname, "grid-modules.mjs")).href;
  execFileSync(process.execPath, ["--import", modules, join(__dirname, "engine-runs-check.ts")], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 60_000,
  });
});
