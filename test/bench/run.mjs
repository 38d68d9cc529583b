/**
 * `npm run bench`: compiles, measures each contender in processes of its own, prints the tables and writes them
 * to results.md beside this file. Bounded: a measurement that takes too long is ended, and what has not begun
 * when the time is up is left out; both show as such. The pane's bench, where there is one, runs last.
 * Ends with 1 when INV misses a figure that does not depend on the machine.
 */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileBench } from "./compile.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const longestMeasurementMs = 75_000;
const timeIsUpAtMs = Date.now() + 5.5 * 60_000;

const inv = ["inv"];
const batching = ["inv", "tick", "loader", "window", "bottleneck"];
const everyone = [...batching, "single"];

/** What is left out for a call per cell would take minutes and tell nothing new. */
const sheets = [
  ...["a", "b", "c"].map((workload) => ["sheet", workload, everyone]),
  ...["d", "d2", "g", "typo", "unknown", "quota"].map((workload) => ["sheet", workload, batching]),
];
const cells = [
  ["edit", "", everyone],
  ["memory", "", everyone],
  ["loopback", "", batching],
];
const processorTime = ["b", "c", "d"].map((workload) => ["cpu", workload, batching]);

const compiled = compileBench();
const results = {};
// INV's own figures first, so that a slow machine leaves out a peer's and not ours.
await measureAll(
  jobsOf([...sheets, ...cells], (contender) => inv.includes(contender)),
  2,
);
await measureAll(
  jobsOf(processorTime, () => true),
  1,
);
await measureAll(
  jobsOf([...sheets, ...cells], (contender) => !inv.includes(contender)),
  2,
);

const { report } = await import(pathToFileURL(join(compiled, "test/bench/report.js")).href);
const machine = `Node ${process.versions.node}, ${cpus().length} processors`;
const { text, isHonoured } = report({ machine, results });
process.stdout.write(text);
writeFileSync(join(here, "results.md"), text);

if (existsSync(join(here, "pane.mjs"))) await runNode([join(here, "pane.mjs")], "inherit");
process.exitCode = isHonoured ? 0 : 1;

function jobsOf(measurements, isWanted) {
  return measurements.flatMap(([name, workload, contenders]) =>
    contenders.filter(isWanted).map((contender) => ({ name, workload, contender })),
  );
}

/** Processor time is measured alone; on virtual time two may run side by side. */
async function measureAll(jobs, sideBySide) {
  const left = [...jobs];
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      const { name, workload, contender } = job;
      results[`${name} ${workload} ${contender}`] = await measure(name, contender, workload);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}

/** The finding, or null where the measurement failed, took too long or did not begin. */
async function measure(name, contender, workload) {
  if (Date.now() > timeIsUpAtMs) return null;
  process.stderr.write(`${name} ${workload} ${contender}\n`);
  const flags = name === "memory" ? ["--expose-gc"] : [];
  const worker = join(compiled, "test/bench/worker.js");
  const output = await runNode([...flags, worker, name, contender, workload], "pipe");
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

function runNode(args, stdout) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", stdout, "inherit"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), longestMeasurementMs);
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.on("close", () => {
      clearTimeout(timer);
      resolve(output);
    });
  });
}
