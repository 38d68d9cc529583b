/**
 * The contenders on all sheets, and what a cell takes whole way. Bounded: a measurement that takes too long is ended, and
 * what has not begun when the time is up is left out; both show as such.
 */
import { cpus } from "node:os";
import { runWorker } from "./measuring.mjs";

const batching = ["inv", "tick", "loader", "window", "bottleneck"];
const everyone = [...batching, "single"];
const functions = ["qty", "qty-window", "qty-tick"];
/** Each in fresh processes, by turns: the compiler settles in each of them in another way. */
const firstSheets = [...functions, "grid", "inv", "window", "tick", "floor"];
const freshProcesses = 5;
const longestMs = 60_000;
const timeForAllMs = 8 * 60_000;

/** A call per cell is left out where it would take minutes and tell nothing new. */
const sheets = ["a", "b", "c", "d", "d2", "g", "typo", "unknown", "quota"].flatMap((workload) =>
  ("abc".includes(workload) ? everyone : batching).map((contender) => ["sheet", contender, workload]),
);
const cells = ["edit", "waiting"].flatMap((name) => everyone.map((contender) => [name, contender]));
const bytes = [
  ...[...functions, "grid"].map((contender) => ["waiting", contender]),
  ...functions.map((contender) => ["answered", contender]),
];

const results = {};
let timeIsUpAtMs = 0;

export async function measureContenders() {
  timeIsUpAtMs = Date.now() + timeForAllMs;
  // INV's own figures first, so that a slow machine leaves out a peer's and not ours.
  const isOurs = ([, contender]) => contender === "inv";
  const onVirtualTime = [...sheets, ...cells];
  await measureAll(onVirtualTime.filter(isOurs), 2);
  for (let round = 0; round < freshProcesses; round++) {
    for (const contender of firstSheets) {
      (results[`first ${contender} `] ??= []).push(await measure("first", contender));
    }
  }
  await measureAll(bytes, 2);
  // Real time is measured alone; on virtual time two may run side by side.
  await measureAll(
    batching.map((contender) => ["sheet", contender, "http"]),
    1,
  );
  await measureAll(
    onVirtualTime.filter((job) => !isOurs(job)),
    2,
  );
  const machine = `Node ${process.versions.node}, ${cpus().length} processors`;
  return runWorker(["report"], { input: JSON.stringify({ machine, results }) });
}

async function measureAll(jobs, sideBySide) {
  const left = [...jobs];
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      const [name, contender, workload = ""] = job;
      results[`${name} ${contender} ${workload}`] = await measure(name, contender, workload);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}

/** The finding, or null where the measurement failed, took too long or did not begin. */
async function measure(name, contender, workload) {
  if (Date.now() > timeIsUpAtMs) return null;
  process.stderr.write(`${name} ${contender} ${workload ?? ""}\n`);
  const flags = ["waiting", "answered"].includes(name) ? ["--expose-gc"] : [];
  return runWorker(workload ? [name, contender, workload] : [name, contender], { flags, longestMs });
}
