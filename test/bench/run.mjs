/**
 * `npm run bench`: compiles, measures each contender in processes of its own, prints the tables and writes them
 * to results.md beside this file, and the first two into the README. Bounded: a measurement that takes too long is ended, and what has not begun
 * when the time is up is left out; both show as such. The pane's bench, where there is one, runs last.
 * Ends with 1 when INV misses a figure that does not depend on the machine.
 */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileBench } from "./compile.mjs";
import { quoteInReadme } from "./quote.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const longestMeasurementMs = 60_000;
const longestPaneMs = 120_000;
const timeIsUpAtMs = Date.now() + 7 * 60_000;

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
];
const realTime = [["loopback", "", batching]];
const processorTime = ["b", "c", "d"].flatMap((workload) => [
  ["floor", workload, [""]],
  ["cpu", workload, batching],
]);

const compiled = compileBench();
const results = {};
// INV's own figures first, so that a slow machine leaves out a peer's and not ours.
const isOurs = (contender) => contender === "inv";
await measureAll(jobsOf([...sheets, ...cells], isOurs), 2);
await measureAll([...jobsOf(processorTime), ...jobsOf(realTime), ...jobsOf(processorTime)], 1);
await measureAll(
  jobsOf([...sheets, ...cells], (contender) => !isOurs(contender)),
  2,
);

const machine = `Node ${process.versions.node}, ${cpus().length} processors`;
const { text, isHonoured } = await runWorker(["report"], JSON.stringify({ machine, results }));
process.stdout.write(text);
const pane = await measurePane();
writeFileSync(join(here, "results.md"), text + pane.text);
await quoteInReadme(text);
process.exitCode = isHonoured && pane.isHonoured ? 0 : 1;

/** Empty where there is no such bench. */
async function measurePane() {
  const path = join(here, "pane.mjs");
  if (!existsSync(path)) return { text: "", isHonoured: true };
  const { output, exitCode } = await runNode([path], { longestMs: longestPaneMs });
  const shown = output.trim() === "" ? "Not finished." : `\`\`\`text\n${output.trim()}\n\`\`\``;
  process.stdout.write(output);
  return { text: `\n## The pane\n\n${shown}\n`, isHonoured: exitCode === 0 };
}

function jobsOf(measurements, isWanted = () => true) {
  return measurements.flatMap(([name, workload, contenders]) =>
    contenders.filter(isWanted).map((contender) => ({ name, workload, contender })),
  );
}

/**
 * Processor time and real time are measured alone, processor time twice with other work between, since a
 * neighbour of the machine may be busy for longer than one measurement; on virtual time two may run side by side.
 */
async function measureAll(jobs, sideBySide) {
  const left = [...jobs];
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      const { name, workload, contender } = job;
      const key = `${name} ${workload} ${contender}`;
      results[key] = least(results[key] ?? null, await measure(name, contender, workload));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}

/** Of two findings of the same the least of each figure. */
function least(first, second) {
  if (first === null || second === null) return first ?? second;
  return Object.fromEntries(
    Object.entries(second).map(([figure, value]) => [figure, Math.min(first[figure], value)]),
  );
}

/** The finding, or null where the measurement failed, took too long or did not begin. */
async function measure(name, contender, workload) {
  if (Date.now() > timeIsUpAtMs) return null;
  process.stderr.write(`${name} ${workload} ${contender}\n`);
  return runWorker([name, contender, workload]);
}

async function runWorker([name, ...args], input) {
  const flags = name === "memory" ? ["--expose-gc"] : [];
  const worker = join(compiled, "test/bench/worker.js");
  const { output } = await runNode([...flags, worker, name, ...args], {
    input,
    longestMs: longestMeasurementMs,
  });
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

/** Its standard output, and how it ended; one that takes too long is killed. */
function runNode(args, { input = "", longestMs }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
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
