/** One measurement in a process of its own: its name and arguments in, one line of JSON out. */
import { measureLoopback } from "./loopback";
import { measureCpu, measureEdit, measureMemory, measureSheet } from "./measure";

const measurements: Record<string, (contender: string, workload: string) => Promise<unknown>> = {
  sheet: measureSheet,
  cpu: measureCpu,
  edit: measureEdit,
  memory: measureMemory,
  loopback: measureLoopback,
};

const [name = "", contender = "", workload = ""] = process.argv.slice(2);

void (async () => {
  const measure = measurements[name];
  if (!measure) throw new Error(`Unknown measurement: ${name}.`);
  const result = await measure(contender, workload);
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit());
})();
