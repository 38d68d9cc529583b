/** Measures the contenders on all sheets, and the cost of a cell. If a measurement fails or takes too long, all end. */
import { cpus } from "node:os";
import { runWorker } from "./measuring.mjs";

const windows = {
  atOnce: ["dataloader-0", "dataloader-100", "window-100"],
  inBursts: ["dataloader-100", "dataloader-1000", "window-100", "window-1000"],
};
const functions = ["qty", "qty-dataloader", "qty-window"];
const sheets = { atOnce: ["a", "b", "c", "g", "typo", "unknown", "quota"], inBursts: ["d", "d2"] };
/** Each measurement runs in fresh processes, in turn, because the compiler optimizes differently in each. */
const freshProcesses = 5;
const longestMs = 180_000;

const onVirtualTime = ["atOnce", "inBursts"].flatMap((kind) =>
  sheets[kind].flatMap((workload) =>
    ["inv", ...windows[kind]].map((contender) => ["sheet", contender, workload]),
  ),
);
const edits = ["inv", ...windows.atOnce].map((contender) => ["edit", contender]);
const first = Array.from({ length: freshProcesses }, () => functions.map((name) => ["first", name])).flat();
const known = functions.map((name) => ["known", name]);
const bytes = functions.flatMap((name) => [
  ["waiting", name],
  ["answered", name],
]);

export async function measureContenders() {
  const results = {};
  const measure = async ([name, contender, workload = ""]) => {
    process.stderr.write(`${name} ${contender} ${workload}\n`);
    const flags = ["waiting", "answered"].includes(name) ? ["--expose-gc"] : [];
    const found = await runWorker([name, contender, ...(workload ? [workload] : [])], { flags, longestMs });
    if (found === null) throw new Error(`Not finished: ${name} ${contender} ${workload}`);
    const key = `${name} ${contender} ${workload}`;
    if (name === "first") (results[key] ??= []).push(found);
    else results[key] = found;
  };
  // Measurements in real time run alone. On virtual time, two may run at once.
  for (const job of [...first, ...known]) await measure(job);
  const left = [...bytes, ...onVirtualTime, ...edits];
  const work = async () => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await measure(job);
  };
  await Promise.all([work(), work()]);
  const machine = `Node ${process.versions.node}, ${cpus().length} processors`;
  return runWorker(["report"], { input: JSON.stringify({ machine, results }) });
}
