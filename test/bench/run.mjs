/**
 * `npm run bench`: builds, measures INV beside other libraries, and writes results.md beside this file. docs/bench.md explains the
 * tables. Exits with 1, without a page, if a measurement fails, and with 1 and a page if INV breaks a promise that is the same on
 * every machine.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, checkNode, install } from "../../src/start/prepare.mjs";
import { compileBench } from "./compile.mjs";

/** A measurement is the name of one in worker.ts, a contender and a sheet, or a number of cells. */
const functions = ["qty", "qty-dataloader", "qty-window"];
const plain = ["plain-dataloader", "plain-window"];
const throughRuntime = ["qty", "qty-dataloader", "qty-dataloader-0", "qty-window"];
const sheets = { atOnce: ["a", "b", "c", "g", "typo", "unknown", "quota"], inBursts: ["d", "d2"] };
const contenders = {
  atOnce: ["inv", "dataloader-0", "dataloader-100", "window-100"],
  inBursts: ["inv", "dataloader-100", "dataloader-1000", "window-100", "window-1000"],
};
/** The compiler optimizes differently in each process, so each measurement of processor time has several, taken in turns. */
const freshProcesses = 3;
const inRealTime = Array.from({ length: freshProcesses }, () => [
  ...[...functions, ...plain].flatMap((name) => ["first", "known"].map((cost) => [cost, name])),
  ["known", "qty-nothing"],
  ...functions.map((name) => ["bursts", name]),
  ...throughRuntime.flatMap((name) => ["10000", "100000"].map((cells) => ["whole-way", name, cells])),
]).flat();
const onVirtualTime = [
  ["allocated", "qty-nothing"],
  ...["waiting", "answered", "allocated"].flatMap((bytes) => functions.map((name) => [bytes, name])),
  ...["atOnce", "inBursts"].flatMap((kind) =>
    sheets[kind].flatMap((sheet) => contenders[kind].map((contender) => ["sheet", contender, sheet])),
  ),
  ...contenders.atOnce.map((contender) => ["edit", contender]),
  ["alone"],
];
const longestMs = 400_000;

checkNode();
install();
build();
const startedAtMs = Date.now();
const [loadBefore] = loadavg();
const worker = join(compileBench(), "test/bench/worker.js");
const results = {};
for (const job of inRealTime) await measure(job);
// On virtual time, another process changes no number.
await Promise.all([measureRest(), measureRest()]);
// Without the people, the page still has everything else.
await measure(["team"]).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  results.team = [null];
  process.exitCode = 1;
});
const minutes = Math.round((Date.now() - startedAtMs) / 60_000);
const date = new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
const [{ model }] = cpus();
const machine = `Node ${process.versions.node}, ${cpus().length} processors (${model})`;
const about = { date, machine, minutes, loadBefore };
const { text, isHonoured } = await runWorker(["report"], JSON.stringify({ about, results }));
process.stdout.write(`\n${text}`);
writeFileSync(fileURLToPath(new URL("results.md", import.meta.url)), text);
if (!isHonoured) process.exitCode = 1;

async function measureRest() {
  for (let job = onVirtualTime.shift(); job !== undefined; job = onVirtualTime.shift()) await measure(job);
}

/** Keeps all results of a job that is measured several times. */
async function measure(job) {
  const key = job.join(" ");
  process.stderr.write(`${key}\n`);
  (results[key] ??= []).push(await runWorker(job));
}

/** Runs worker.ts in its own process. Rejects if it fails or takes too long. */
function runWorker(job, input = "") {
  return new Promise((resolve, reject) => {
    // What is allocated is counted before any of it is collected.
    const room = job[0] === "allocated" ? ["--min-semi-space-size=128", "--max-semi-space-size=128"] : [];
    const child = spawn(process.execPath, ["--expose-gc", ...room, worker, ...job], {
      stdio: ["pipe", "pipe", "inherit"],
      timeout: longestMs,
      killSignal: "SIGKILL",
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stdin.end(input);
    child.on("close", (exitCode) => {
      if (exitCode === 0) resolve(JSON.parse(output));
      else reject(new Error(`Not finished: ${job.join(" ")}.`));
    });
  });
}
