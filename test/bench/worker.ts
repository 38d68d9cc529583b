/**
 * One measurement in its own process: it takes a name and arguments, and prints one line of JSON. It also runs the report:
 * the findings come through standard input, and the text goes to standard output.
 */
import { readFileSync } from "node:fs";
import type { Findings } from "./results";
import {
  measureAnswered,
  measureEdit,
  measureFirst,
  measureKnown,
  measureSheet,
  measureWaiting,
} from "./measure";

const measurements: Record<string, (contender: string, workload: string) => Promise<unknown>> = {
  sheet: measureSheet,
  edit: measureEdit,
  first: measureFirst,
  known: measureKnown,
  waiting: measureWaiting,
  answered: measureAnswered,
  // These load on demand, so that a first sheet's process contains only what a host's does.
  report: async () => (await import("./report")).report(JSON.parse(readFileSync(0, "utf8")) as Findings),
  alone: async () => (await import("./alone")).measureAlone(),
  "three-servers": async () => (await import("./three-servers")).measureThreeServers(),
};

const [name = "", contender = "", workload = ""] = process.argv.slice(2);
const measure = measurements[name];
if (!measure) throw new Error(`Unknown measurement: ${name}.`);
void measure(contender, workload).then((result) => {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
});
