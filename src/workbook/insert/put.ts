/** Writes a formula into its cells, filled down, and a heading above a new column, in one undo step. */
import { movedFormula } from "../../formula/references";
import { isBlank } from "../cell-content";
import type { Area, CellChange, FoundContent, Workbook } from "../port";

export type PutEnd =
  | { readonly kind: "put"; readonly cells: number }
  /** INV wrote nothing, because this many cells contain other content. */
  | { readonly kind: "occupied"; readonly cells: number }
  /** Somebody edited the cells meanwhile. INV put back what it had overwritten, except for `overwritten`. */
  | { readonly kind: "edited"; readonly cells: number; readonly overwritten: readonly FoundContent[] };

export interface PutOptions {
  readonly formula: string;
  readonly area: Area;
  /** For the cell above the area, if that is blank; null for none. */
  readonly heading?: string | null;
  readonly overwrite: boolean;
}

/** Rejects with an InvError if the sheet was deleted or is protected, or if the host refuses the write. */
export async function putFormula(
  workbook: Workbook,
  { formula, area, heading = null, overwrite }: PutOptions,
): Promise<PutEnd> {
  const formulas = formulasOf(formula, area.rows).map(([first = ""]) => first);
  const before = overwrite ? null : await workbook.read(area, "formulas");
  const occupied =
    before?.filter(([content = null], row) => !isBlank(content) && content !== formulas[row]).length ?? 0;
  if (occupied > 0) return { kind: "occupied", cells: occupied };
  const changes = formulas.map((to, row): [CellChange] => {
    return [before === null ? { to } : { from: before[row]?.[0] ?? null, to }];
  });
  const above = { ...area, row: area.row - 1, rows: 1 };
  const isNew = heading !== null && isBlank((await workbook.read(above, "formulas"))[0]?.[0] ?? null);
  const { cells, differing, overwritten } = isNew
    ? await workbook.replace({ ...above, rows: area.rows + 1 }, [[{ from: null, to: heading }], ...changes], {
        allOrNothing: true,
      })
    : await workbook.replace(area, changes, { allOrNothing: true });
  const written = Math.max(0, cells - (isNew ? 1 : 0));
  if (differing.length === 0 && overwritten.length === 0) return { kind: "put", cells: written };
  return { kind: "edited", cells: written, overwritten };
}

export function formulasOf(formula: string, rows: number): string[][] {
  return Array.from({ length: rows }, (_, down) => [movedFormula(formula, { rows: down, cols: 0 })]);
}
