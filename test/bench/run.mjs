/**
 * `npm run bench`: compiles, measures each contender in processes of its own, prints the tables and writes
 * them to results.md beside this file, and what the README quotes into it. Bounded: a measurement that takes
 * too long is ended, and what has not begun when the time is up is left out; both show as such. What needs a browser
 * runs last; `npm run bench pane excel workbook`, or some of them, runs these alone and replaces their sections.
 * Ends with 1 when INV misses a figure that does not depend on the machine.
 */
import { fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { browserParts } from "./browser-parts.mjs";
import { compileBench } from "./compile.mjs";
import { medianOf, runNode } from "./measuring.mjs";
import { quoteInReadme } from "./quote.mjs";

const resultsFile = fileURLToPath(new URL("results.md", import.meta.url));
const longestMeasurementMs = 60_000;
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
const freshProcesses = 5;
const realTime = [["loopback", "", batching]];
const processorTime = ["b", "c", "d"];
/** The compiler takes about ten to settle. */
const roundsInTurn = 20;

const compiled = compileBench();
const results = {};
const parts = process.argv.slice(2);
const unknown = parts.find((part) => !(part in browserParts));
if (unknown !== undefined) {
  throw new Error(
    `There is no part "${unknown}" to run alone, only ${Object.keys(browserParts).join(", ")}.`,
  );
}
const isAllHonoured = parts.length === 0 ? await measureWhole() : await replaceParts(parts);
process.exitCode = isAllHonoured ? 0 : 1;

async function measureWhole() {
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
  const others = await measureParts(Object.keys(browserParts));
  writeFileSync(resultsFile, text + others.map(({ section }) => `\n${section}`).join(""));
  await quoteInReadme(text);
  return isHonoured && others.every((part) => part.isHonoured);
}

async function replaceParts(names) {
  const measured = await measureParts(names);
  let text = readFileSync(resultsFile, "utf8");
  for (const { title, section } of measured) {
    const [before, rest = ""] = text.split(`\n${title}\n`);
    const next = rest.indexOf("\n## ");
    text = `${before}\n${section}${next === -1 ? "" : rest.slice(next)}`;
  }
  writeFileSync(resultsFile, text);
  return measured.every((part) => part.isHonoured);
}

async function measureParts(names) {
  const measured = [];
  for (const name of names) {
    const { title, measure: measurePart } = browserParts[name];
    const { text, isHonoured } = await measurePart();
    const section = `${title}\n\n${text}\n`;
    process.stdout.write(`\n${section}`);
    measured.push({ title, section, isHonoured });
  }
  return measured;
}

/** The median of several fresh processes: the compiler settles in each of them in another way. */
async function measureFirsts() {
  const jobs = [
    ...firstSheets.map((contender) => ["first", contender, "c"]),
    ["grid", "qty", "grid"],
    ["beside", "qty", ""],
  ];
  const found = {};
  for (let round = 0; round < freshProcesses; round++) {
    for (const [name, contender, workload] of jobs) {
      const key = `${name} ${workload} ${contender}`;
      (found[key] ??= []).push(await measure(name, contender, workload));
    }
  }
  for (const [key, all] of Object.entries(found)) results[key] = medianOf(all);
  await measureAll(
    jobsOf([
      ["memory", "", wholeWay],
      ["answered", "", wholeWay],
    ]),
    2,
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
  const flags = ["memory", "answered", "grid"].includes(name) ? ["--expose-gc"] : [];
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
