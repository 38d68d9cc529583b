/**
 * `npm run bench`: compiles, measures each contender in processes of its own, prints the tables and writes them
 * to results.md beside this file. Bounded: a measurement that takes too long is ended and shown as such.
 * The pane's bench, where there is one, runs last.
 */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileBench } from "./compile.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const longestMeasurementMs = 60_000;

const contenderIds = ["inv", "tick", "loader", "window", "bottleneck", "single"];
const sheetIds = ["a", "b", "c", "d", "d2", "g", "typo", "unknown", "quota"];
const cpuIds = ["b", "c", "d"];

const compiled = compileBench();
const findings = { machine: `Node ${process.versions.node}, ${cpus().length} processors`, results: {} };

/** What is not run, because it would tell nothing new for many minutes. */
const skipped = {
  single: new Set(["sheet g", "sheet d2", "sheet quota", "cpu b", "cpu c", "cpu d", "loopback "]),
};

for (const [name, ids] of [
  ["sheet", sheetIds],
  ["edit", [""]],
  ["cpu", cpuIds],
  ["memory", [""]],
  ["loopback", [""]],
]) {
  for (const id of ids) {
    for (const contender of contenderIds) {
      if (skipped[contender]?.has(`${name} ${id}`)) continue;
      findings.results[`${name} ${id} ${contender}`] = await measure([name, contender, id]);
    }
  }
}

const { report } = await import(pathToFileURL(join(compiled, "test/bench/report.js")).href);
const { text, isHonoured } = report(findings);
process.stdout.write(text);
writeFileSync(join(here, "results.md"), text);

if (existsSync(join(here, "pane.mjs"))) await runNode([join(here, "pane.mjs")], "inherit");
process.exitCode = isHonoured ? 0 : 1;

/** The finding, or null where the measurement failed or took too long. */
async function measure(args) {
  process.stderr.write(`${args.join(" ")}\n`);
  const worker = join(compiled, "test/bench/worker.js");
  const flags = args[0] === "memory" ? ["--expose-gc"] : [];
  const output = await runNode([...flags, worker, ...args], "pipe");
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
