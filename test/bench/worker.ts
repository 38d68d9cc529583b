/**
 * One measurement in a process of its own: its name and arguments in, one line of JSON out. And the report: the
 * findings in through the standard input, the text out the same way.
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
  // Loaded where they are wanted: a first sheet's process holds what a host's does.
  report: async () => (await import("./report")).report(JSON.parse(readFileSync(0, "utf8")) as Findings),
  people: async () => (await import("./people")).measurePeople(),
  "three-servers": async () => (await import("./three-servers")).measureThreeServers(),
  "relay-time": async () => (await import("./relay-time")).measureRelayTime(),
};

const [name = "", contender = "", workload = ""] = process.argv.slice(2);
const measure = measurements[name];
if (!measure) throw new Error(`Unknown measurement: ${name}.`);
void measure(contender, workload).then((result) => {
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
});
