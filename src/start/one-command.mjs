/**
 * Allows only one npm command at a time to install or build in a clone, because two would delete each other's
 * files. The second command waits, says so, and then checks again whether any work is left. The lock file
 * contains a process ID. A lock is ignored if its process has ended (Ctrl+C, a failure). An old lock is also
 * ignored, because another process may have its ID.
 */
import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../.cache", import.meta.url));
const lock = join(folder, "at-work");
const lookMs = 250;
/** Longer than an install and a build take on a slow machine. */
const staleAfterMs = 20 * 60_000;

/**
 * @param {() => boolean} isNeeded asked again after a wait
 * @param {() => void} work
 */
export function byOneCommand(isNeeded, work) {
  if (!isNeeded()) return;
  makeFolder();
  for (
    let isReported = false;
    !takeLock();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs)
  ) {
    const other = lockOwner();
    if (!isRunning(other) || lockAgeMs() > staleAfterMs) rmSync(lock, { force: true });
    else if (!isReported) {
      console.log(
        `Another command installs or builds here (process ${other}). Waiting for it … If there is none, delete ${lock}.`,
      );
      isReported = true;
    }
  }
  try {
    if (isNeeded()) work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function makeFolder() {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    console.error(`INV must be installed or built first, but nothing can be written here: ${error.message}`);
    process.exit(1);
  }
}

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** Returns 0 if the lock is empty or has just been deleted. */
function lockOwner() {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return 0;
  }
}

function lockAgeMs() {
  try {
    return Date.now() - statSync(lock).mtimeMs;
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    // Signal 0 only checks whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
