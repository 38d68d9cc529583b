/** Writes a formula into its cells, filled down, in one undo step. */
import { movedFormula } from "../../formula/references";
import { isBlank } from "../cell-content";
import type { Area, CellChange, FoundContent, Workbook } from "../port";

export type PutEnd =
  | { readonly kind: "put"; readonly cells: number }
  /** INV wrote nothing, because this many cells contain other content. */
  | { readonly kind: "occupied"; readonly cells: number }
  /** Somebody edited the cells meanwhile. INV put back what it had overwritten, except for `overwritten`. */
  | { readonly kind: "edited"; readonly cells: number; readonly overwritten: readonly FoundContent[] };

/** Rejects with an InvError if the sheet was deleted or is protected, or if the host refuses the write. */
export async function putFormula(
  workbook: Workbook,
  {
    formula,
    area,
    overwrite,
  }: { readonly formula: string; readonly area: Area; readonly overwrite: boolean },
): Promise<PutEnd> {
  const formulas = formulasOf(formula, area.rows).map(([first = ""]) => first);
  const before = overwrite ? null : await workbook.read(area, "formulas");
  const occupied =
    before?.filter(([content = null], row) => !isBlank(content) && content !== formulas[row]).length ?? 0;
  if (occupied > 0) return { kind: "occupied", cells: occupied };
  const changes = formulas.map((to, row): [CellChange] => {
    return [before === null ? { to } : { from: before[row]?.[0] ?? null, to }];
  });
  const { cells, differing, overwritten } = await workbook.replace(area, changes, { allOrNothing: true });
  if (differing.length === 0 && overwritten.length === 0) return { kind: "put", cells };
  return { kind: "edited", cells, overwritten };
}

export function formulasOf(formula: string, rows: number): string[][] {
  return Array.from({ length: rows }, (_, down) => [movedFormula(formula, { rows: down, cols: 0 })]);
}
