/**
 * One measurement in a process of its own: its name and arguments in, one line of JSON out; processor time in
 * rounds, as the parent asks for them by message. And the report: the findings in through the standard input, the
 * text out the same way.
 */
import { readFileSync } from "node:fs";
import type { Findings } from "./findings";
import { measureLoopback } from "./loopback";
import { createCpuRounds, measureAnswered, measureEdit, measureMemory, measureSheet } from "./measure";
import { measureBeside } from "./measure-beside";
import { measureFirst, measureGrid } from "./measure-whole";
import { report } from "./report";

const measurements: Record<string, (contender: string, workload: string) => Promise<unknown>> = {
  sheet: measureSheet,
  edit: measureEdit,
  memory: measureMemory,
  answered: measureAnswered,
  loopback: measureLoopback,
  first: measureFirst,
  grid: measureGrid,
  beside: measureBeside,
  report: () => Promise.resolve(report(JSON.parse(readFileSync(0, "utf8")) as Findings)),
};

const [name = "", contender = "", workload = ""] = process.argv.slice(2);

void (name === "cpu" ? answerRounds() : answerOnce());

async function answerOnce(): Promise<void> {
  const measure = measurements[name];
  if (!measure) throw new Error(`Unknown measurement: ${name}.`);
  const result = await measure(contender, workload);
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
}

/** Runs a round whenever the parent says so, until the parent ends it. */
async function answerRounds(): Promise<void> {
  const ready = createCpuRounds(contender, workload);
  process.on("message", () => {
    void ready.then((round) => round()).then((result) => process.send?.(result));
  });
  await ready;
}
