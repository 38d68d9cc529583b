/** Runs a check (a path beside the tests of the grid) in a process of its own, where the grid's modules load; its reason is in the error. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export function runCheck(name: string): void {
  const modules = pathToFileURL(join(__dirname, "grid-modules.mjs")).href;
  execFileSync(process.execPath, ["--import", modules, join(__dirname, "..", name)], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 60_000,
  });
}
