/**
 * What `npm run excel` and `npm stop` know of each other: a mark on disk while the one runs, which the other deletes,
 * and whether INV answers. No process is killed by its number, which may be another's by then.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { root } from "./prepare.mjs";

export const port = "3000";
const mark = join(root, ".cache", "excel-running");
const lookEveryMs = 500;

export function markRunning() {
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(mark, "");
}

/** Whether there was a mark. */
export function deleteMark() {
  const wasThere = existsSync(mark);
  rmSync(mark, { force: true });
  return wasThere;
}

/** Resolves when somebody has deleted the mark; holds up no end of the process. */
export async function markDeleted() {
  while (existsSync(mark)) await setTimeout(lookEveryMs, undefined, { ref: false });
}

export function isServing() {
  return new Promise((resolve) => {
    // Only whether our own server answers on this machine; Excel checks the certificate.
    const options = { rejectUnauthorized: false, timeout: 2000 };
    const request = get(`https://localhost:${port}/taskpane.html`, options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
  });
}
