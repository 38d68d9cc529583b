/**
 * One measurement in its own process: it takes a name and arguments, and prints one line of JSON. It also writes the report:
 * the findings come through standard input.
 */
import { readFileSync } from "node:fs";
import {
  measureAllocated,
  measureAnswered,
  measureBursts,
  measureEdit,
  measureFirst,
  measureKnown,
  measureSheet,
  measureWaiting,
} from "./measure";
import type { Findings } from "./report";

const measurements: Record<string, (contender: string, workload: string) => Promise<unknown>> = {
  sheet: measureSheet,
  edit: measureEdit,
  first: measureFirst,
  known: measureKnown,
  bursts: measureBursts,
  waiting: measureWaiting,
  answered: measureAnswered,
  allocated: measureAllocated,
  // These load on demand, so that a first sheet's process contains only what a host's does.
  "whole-way": async (...job) => (await import("./whole-way")).measureWholeWay(...job),
  alone: async () => (await import("./alone")).measureAlone(),
  team: async () => (await import("./team")).measureTeam(),
  report: async () => (await import("./report")).report(JSON.parse(readFileSync(0, "utf8")) as Findings),
};

const [name = "", contender = "", workload = ""] = process.argv.slice(2);
const measure = measurements[name];
if (!measure) throw new Error(`Unknown measurement: ${name}.`);
void measure(contender, workload).then((result) => {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
});
