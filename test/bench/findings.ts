/** What was measured, by name and typed: between the workers that write it and the report that shows it. */
import type { LoopbackResult } from "./loopback";
import type { CpuResult, EditResult } from "./measure";
import type { FirstResult, GridResult } from "./measure-whole";
import type { BesideResult } from "./measure-beside";
import type { SheetResult } from "./sheet-run";

export interface Findings {
  readonly machine: string;
  /** By `<measurement> <workload> <contender>`; null where it failed or took too long. */
  readonly results: Readonly<Record<string, unknown>>;
}

/** Findings by name, typed. Absent: not run. Null: did not finish. */
export interface Results {
  sheet(workload: string, contender: string): SheetResult | null | undefined;
  edit(contender: string): EditResult | null | undefined;
  /** The floor is a contender here: `floor`. */
  cpu(workload: string, contender: string): CpuResult | null | undefined;
  memory(contender: string): number | null | undefined;
  answered(contender: string): number | null | undefined;
  loopback(contender: string): LoopbackResult | null | undefined;
  first(contender: string): FirstResult | null | undefined;
  grid(): GridResult | null | undefined;
  beside(): BesideResult | null | undefined;
}

/** The findings as the workers wrote them, by name. */
export function typed({ results }: Findings): Results {
  return {
    sheet: (workload, contender) =>
      results[`sheet ${workload} ${contender}`] as SheetResult | null | undefined,
    edit: (contender) => results[`edit  ${contender}`] as EditResult | null | undefined,
    cpu: (workload, contender) => results[`cpu ${workload} ${contender}`] as CpuResult | null | undefined,
    memory: (contender) => results[`memory  ${contender}`] as number | null | undefined,
    answered: (contender) => results[`answered  ${contender}`] as number | null | undefined,
    loopback: (contender) => results[`loopback  ${contender}`] as LoopbackResult | null | undefined,
    first: (contender) => results[`first c ${contender}`] as FirstResult | null | undefined,
    grid: () => results["grid grid qty"] as GridResult | null | undefined,
    beside: () => results["beside  qty"] as BesideResult | null | undefined,
  };
}

/** The client's own work over the floor. */
export function overFloor(results: Results, workload: string, contender: string): number | null {
  const cpu = results.cpu(workload, contender);
  const floor = results.cpu(workload, "floor");
  return cpu && floor ? cpu.ms / floor.ms : null;
}
