/**
 * Runs every part of the bench in a process with a time limit. A part returns its sections as Markdown (`text`) and whether
 * INV's promises were kept (`isHonoured`), or null if it did not finish.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, root } from "../../src/start/prepare.mjs";
import { compileBench } from "./compile.mjs";

let compiled;

/** Runs a measurement of worker.ts in its own process. Returns its result, or null if it failed or took too long. */
export async function runWorker([name, ...args], { input, longestMs = 600_000, flags = [] } = {}) {
  compiled ??= compileBench();
  const worker = join(compiled, "test/bench/worker.js");
  const { output } = await runNode([...flags, worker, name, ...args], { input, longestMs });
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

/** Builds, and runs a part that starts servers. */
export function runOnServers(name, longestMs) {
  build();
  return runWorker([name], { longestMs });
}

/** Runs a part over the build, in jest's project `bench`. */
export async function runInJest(name) {
  build();
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const file = join(folder, "found.json");
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const which = ["--selectProjects", "bench", "--testPathPatterns", `${name}.bench`, "--silent"];
  const variables = { INV_BENCH_OUT: file };
  const { exitCode } = await runNode([jest, "--rootDir", root, ...which], { longestMs: 600_000, variables });
  const found = exitCode === 0 ? JSON.parse(readFileSync(file, "utf8")) : null;
  rmSync(folder, { recursive: true });
  return found;
}

/** Returns the standard output and how the process ended. A process that takes too long is killed. */
function runNode(args, { input = "", longestMs, variables = {} }) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stdin.end(input);
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ output, exitCode });
    });
  });
}
