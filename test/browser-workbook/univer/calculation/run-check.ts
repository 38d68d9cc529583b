/** Runs a check (a path beside the grid's tests) in its own process, where the grid's modules load. Its error has the reason. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export function runCheck(name: string): void {
  const modules = pathToFileURL(join(__dirname, "grid-modules.mjs")).href;
  execFileSync(process.execPath, ["--import", modules, join(__dirname, "..", name)], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 240_000,
  });
}
