/**
 * `npm run bench`: compiles, measures each contender in processes of its own, prints the tables and writes
 * them to results.md beside this file, and what the README quotes into it. Bounded: a measurement that takes
 * too long is ended, and what has not begun when the time is up is left out; both show as such. The pane's
 * bench and the calls under Microsoft's runtime run last.
 * Ends with 1 when INV misses a figure that does not depend on the machine.
 */
import { fork, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, root } from "../../src/start/prepare.mjs";
import { compileBench } from "./compile.mjs";
import { quoteInReadme } from "./quote.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const longestMeasurementMs = 60_000;
const longestPaneMs = 120_000;
const longestBrowserMs = 240_000;
const timeIsUpAtMs = Date.now() + 8 * 60_000;

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
/** What Excel calls for a cell, each beside what people would have in its place. */
const wholeWay = ["qty", "qty-window", "qty-tick"];
const firstSheets = [...wholeWay, "inv", "window", "tick"];
/** Each in fresh processes, by turns. */
const freshProcesses = 3;
const realTime = [["loopback", "", batching]];
const processorTime = ["b", "c", "d"];
/** The compiler takes about ten to settle. */
const roundsInTurn = 20;

const compiled = compileBench();
const results = {};
// INV's own figures first, so that a slow machine leaves out a peer's and not ours.
const isOurs = (contender) => contender === "inv";
await measureAll(jobsOf([...sheets, ...cells], isOurs), 2);
await measureFirsts();
for (const workload of processorTime) await measureInTurns(workload, ["floor", ...batching]);
await measureAll(jobsOf(realTime), 1);
await measureAll(
  jobsOf([...sheets, ...cells], (contender) => !isOurs(contender)),
  2,
);

const machine = `Node ${process.versions.node}, ${cpus().length} processors`;
const { text, isHonoured } = await runWorker(["report"], JSON.stringify({ machine, results }));
process.stdout.write(text);
const pane = await measurePane();
const excel = await measureExcel();
const workbook = await measureWorkbook();
writeFileSync(join(here, "results.md"), text + pane.text + excel + workbook);
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

/** 40,000 calls through the built add-in, under the runtime that Excel itself uses, and that runtime's own part. */
async function measureExcel() {
  const rows = leastByTitle(await findingsOf("excel-calls"));
  const floor = rows.find(({ isFloor }) => isFloor);
  const kilobytes = (bytes) => Math.round(bytes / 1024).toLocaleString("en-US");
  const lines = rows.map(
    ({ title, calls, tookMs, longestBlockMs, payloadBytes, largestMessageBytes }) =>
      `| ${calls.toLocaleString("en-US")} calls, ${title} | ${seconds(tookMs)} | ${seconds(longestBlockMs)} | ${(longestBlockMs / floor?.longestBlockMs).toFixed(2)} | ${kilobytes(payloadBytes)} | ${kilobytes(largestMessageBytes)} |`,
  );
  const table = [
    "| sheet | s until the last result | s of the longest block of the thread | of the runtime's own | KB of results in all | KB of the largest message |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...lines,
  ];
  const shown = rows.length === 0 ? "Not finished." : table.join("\n");
  const section = `\n## Under Microsoft's runtime\n\n${shown}\n`;
  process.stdout.write(section);
  return section;
}

/** 10,000 cells of the browser workbook, beside the grid's own time for plain formulas. */
async function measureWorkbook() {
  const rows = await findingsOf("workbook");
  const middle = (title) => {
    const sorted = rows.filter((row) => row.title === title).sort((a, b) => a.tookMs - b.tookMs);
    return sorted[Math.floor(sorted.length / 2)];
  };
  const lines = [
    ["plain", "`=A1+B1+$D$1`, the grid's own, calculated anew"],
    ["atOnce", "`=INV.QTY(A1,B1)`, answered at once, every number another"],
    ["qty", "`=INV.QTY(A1,B1)`, recalculated within its freshness"],
    ["refresh", "the same, a click on Refresh: over the relay and the embedded service"],
    ["plain filled", "the grid's own, filled down from one, and saved"],
    ["qty filled", "`=INV.QTY(A1,B1)`, filled down from one, and saved", "plain filled"],
    ["plain opened", "the grid's own, a saved workbook opened"],
    ["qty opened", "`=INV.QTY(A1,B1)`, a saved workbook opened", "plain opened"],
  ].map(([title, words, beside = "plain"]) => {
    const { tookMs, longestBlockMs } = middle(title) ?? {};
    const ratio = title.includes("plain") ? 1 : tookMs / middle(beside)?.tookMs;
    return `| ${words} | ${seconds(tookMs)} | ${ratio.toFixed(2)} | ${seconds(longestBlockMs)} |`;
  });
  const table = [
    "| 10,000 formulas | s until the last value | of the grid's own | s of the longest block of the thread |",
    "| --- | ---: | ---: | ---: |",
    ...lines,
  ];
  const shown = rows.length === 0 ? "Not finished." : table.join("\n");
  const section = `\n## The browser workbook\n\n${shown}\n`;
  process.stdout.write(section);
  return section;
}

/** What a bench over the built add-in found, in a browser; empty where it did not end. */
async function findingsOf(name) {
  build();
  const folder = mkdtempSync(join(tmpdir(), "inv-bench-"));
  const file = join(folder, "findings.json");
  const jest = join(root, "node_modules", "jest", "bin", "jest.js");
  const which = ["--selectProjects", "bench", "--testPathPatterns", `${name}.bench`];
  await runNode([jest, "--rootDir", root, ...which, "--silent"], {
    longestMs: longestBrowserMs,
    variables: { INV_BENCH_OUT: file },
  });
  const rows = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

/** Of several rounds of each, the least of every figure. */
function leastByTitle(rows) {
  const byTitle = new Map();
  for (const row of rows) byTitle.set(row.title, leastOf(byTitle.get(row.title), row));
  return [...byTitle.values()];
}

function seconds(ms) {
  return (ms / 1000).toFixed(2);
}

/** The least of several fresh processes counts: whatever else the machine does only adds. */
async function measureFirsts() {
  const jobs = [
    ...firstSheets.map((contender) => ["first", contender, "c"]),
    ["grid", "qty", "grid"],
    ["beside", "qty", ""],
  ];
  for (let round = 0; round < freshProcesses; round++) {
    for (const [name, contender, workload] of jobs) {
      const key = `${name} ${workload} ${contender}`;
      results[key] = leastOf(results[key], await measure(name, contender, workload));
    }
  }
  await measureAll(jobsOf([["memory", "", wholeWay]]), 2);
}

/** Figure by figure, in lists too. */
function leastOf(known, result) {
  if (known === undefined || known === null) return result;
  if (result === undefined || result === null) return known;
  if (typeof result === "number") return Math.min(known, result);
  if (Array.isArray(result)) return result.map((each, index) => leastOf(known[index], each));
  if (typeof result !== "object") return result;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, leastOf(known[name], value)]),
  );
}

function jobsOf(measurements, isWanted = () => true) {
  return measurements.flatMap(([name, workload, contenders]) =>
    contenders.filter(isWanted).map((contender) => ({ name, workload, contender })),
  );
}

/** Real time is measured alone; on virtual time two may run side by side. */
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

/**
 * Processor time: each in a process of its own that stays alive, one round of each in turn, so that a busy
 * neighbour of the machine slows all alike; the least of each counts, since whatever else the machine does
 * only adds.
 */
async function measureInTurns(workload, contenders) {
  if (Date.now() > timeIsUpAtMs) return;
  process.stderr.write(`cpu ${workload}\n`);
  const worker = join(compiled, "test/bench/worker.js");
  const children = contenders.map((contender) => ({
    key: `cpu ${workload} ${contender}`,
    child: fork(worker, ["cpu", contender, workload], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
  }));
  for (let round = 0; round < roundsInTurn; round++) {
    for (const { key, child } of children) {
      const result = await oneRound(child);
      const known = results[key] ?? result;
      results[key] = result !== null && result.ms < known.ms ? result : known;
    }
  }
  for (const { child } of children) child.kill("SIGKILL");
}

/** Null when it failed or took too long. */
function oneRound(child) {
  return new Promise((resolve) => {
    const end = (result) => {
      clearTimeout(timer);
      child.off("message", end).off("exit", fail);
      resolve(result);
    };
    const fail = () => end(null);
    const timer = setTimeout(fail, longestMeasurementMs);
    child.on("message", end).on("exit", fail);
    if (child.connected) child.send("round");
    else fail();
  });
}

/** The finding, or null where the measurement failed, took too long or did not begin. */
async function measure(name, contender, workload) {
  if (Date.now() > timeIsUpAtMs) return null;
  process.stderr.write(`${name} ${workload} ${contender}\n`);
  return runWorker([name, contender, workload]);
}

async function runWorker([name, ...args], input) {
  const flags = name === "memory" || name === "grid" ? ["--expose-gc"] : [];
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
