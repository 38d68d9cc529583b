/** What was measured, by name and typed: between the workers that write it and the report that shows it. */
import { middle, ofSeveral } from "./figures";
import type { EditResult, FirstResult } from "./measure";
import type { SheetResult } from "./sheet-run";

export interface Findings {
  readonly machine: string;
  /** By `<measurement> <contender> <workload>`, several of a first sheet; null where it failed or took too long. */
  readonly results: Readonly<Record<string, unknown>>;
}

/** Absent: not run. Null: did not finish. */
export type Found<T> = T | null | undefined;
type Of<T> = (contender: string, workload?: string) => Found<T>;

export interface Results {
  readonly sheet: Of<SheetResult>;
  readonly edit: Of<EditResult>;
  readonly first: Of<FirstResult>;
  /** Bytes of a cell that waits, and of an item that was answered. */
  readonly waiting: Of<number>;
  readonly answered: Of<number>;
}

export function typed({ results }: Findings): Results {
  const of =
    <T>(name: string): Of<T> =>
    (contender, workload = "") =>
      results[`${name} ${contender} ${workload}`] as Found<T>;
  return {
    sheet: of("sheet"),
    edit: of("edit"),
    first: (contender) => ofSeveral(of<FirstResult[]>("first")(contender) ?? [], middle),
    waiting: of("waiting"),
    answered: of("answered"),
  };
}

/** One of its figures, by contender. */
export function firstOf(results: Results, figure: keyof FirstResult): (contender: string) => Found<number> {
  return (contender) => {
    const found = results.first(contender);
    return found ? found[figure] : found;
  };
}
