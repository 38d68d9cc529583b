/**
 * Of npm's commands in one clone, one at a time installs or builds: two at once would take each other's files away.
 * Who comes second waits, says so, and looks again whether anything is left to do. A command that has ended
 * without a word (Ctrl+C, a failure) holds nobody up: its mark names its process, and is not believed for long, since
 * another process may have that number by then.
 */
import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../.cache", import.meta.url));
const mark = join(folder, "at-work");
const lookMs = 250;
/** Longer than an install and a build take on a slow machine. */
const believedMs = 20 * 60_000;

/**
 * @param {() => boolean} isNeeded asked again after a wait
 * @param {() => void} work
 */
export function byOneCommand(isNeeded, work) {
  if (!isNeeded()) return;
  makeFolder();
  for (let told = false; !takeMark(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookMs)) {
    const other = markedBy();
    if (!isRunning(other) || ageMs() > believedMs) rmSync(mark, { force: true });
    else if (!told) {
      console.log(
        `Another command installs or builds here (process ${other}); waiting for it. If none does, delete ${mark}.`,
      );
      told = true;
    }
  }
  try {
    if (isNeeded()) work();
  } finally {
    rmSync(mark, { force: true });
  }
}

function makeFolder() {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    console.error(
      `INV has to be installed or built first, and nothing can be written here: ${error.message}`,
    );
    process.exit(1);
  }
}

function takeMark() {
  try {
    writeFileSync(mark, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** 0 while the other has not written it yet, or has just taken it away. */
function markedBy() {
  try {
    return Number(readFileSync(mark, "utf8"));
  } catch {
    return 0;
  }
}

/** 0 where it has just been taken away. */
function ageMs() {
  try {
    return Date.now() - statSync(mark).mtimeMs;
  } catch {
    return 0;
  }
}

function isRunning(pid) {
  try {
    // 0 asks of nobody else, and does not fail.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
