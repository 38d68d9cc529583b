/** The stage of the comparison tests: a column of formulas with the test's values before and after. */
import type { CellRef, CellValue } from "../../../src/workbook/port";
import type { ChangedCell, ChangeReport } from "../../../src/workbook/what-changed/report";
import { withKind } from "../../../src/workbook/cell-content";
import { createStage, type Stage } from "../refresh/refresh-stage";

export interface Shown {
  readonly stage: Stage;
  /** What cells show from the next calculation on, by row. */
  readonly next: Map<number, CellValue>;
  refresh(): Promise<void>;
  /** Waits until the report exists. */
  told(): Promise<void>;
  report(): ChangeReport;
}

export const formulaOf = (row: number): string => `=INV.QTY(A${row + 1},B${row + 1})`;

/** A column of formulas that shows these values, and other values once it is calculated. */
export async function show(before: readonly CellValue[], formula = formulaOf): Promise<Shown> {
  const stage = createStage();
  const now = new Map(before.map((value, row) => [row, value]));
  const next = new Map(now);
  const refs = before.map((_, row): CellRef => ({ sheet: "Plan", row, col: 2 }));
  for (const ref of refs) {
    stage.workbook.put({ ...ref, col: 1 }, ref.row);
    stage.workbook.put(ref, formula(ref.row));
  }
  stage.workbook.valueOf = (_formula, { row }) => now.get(row) ?? null;
  await stage.calculate(refs);
  stage.returnedOf = ({ row }) => withKind(next.get(row) ?? null);
  const mark = stage.workbook.onRecalculate;
  stage.workbook.onRecalculate = (marked) => {
    void mark(marked);
    stage.clock.setTimeout(() => {
      for (const { row } of marked) now.set(row, next.get(row) ?? null);
    }, stage.callAfterMs + 1);
  };
  const told = (): Promise<void> => stage.clock.advance(10_000);
  return {
    stage,
    next,
    async refresh() {
      await stage.clock.until(stage.refresher.start("workbook"));
      await told();
    },
    told,
    report: () => stage.refresher.changes.get()!,
  };
}

/** The values of cells that had one before: row, before and after. */
export const changesOf = (shown: Shown): readonly (readonly unknown[])[] => rowsOf(shown.report().changed);

export const addedOf = (shown: Shown): readonly (readonly unknown[])[] => rowsOf(shown.report().added);

function rowsOf(cells: readonly ChangedCell[]): readonly (readonly unknown[])[] {
  return cells.flatMap(({ values }) => values).map(({ row, before, after }) => [row, before, after]);
}
