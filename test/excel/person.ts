/** What a person does to the host's sheets as a whole: copying one and sorting rows, as Excel does it. */
import { type NodeExcel } from "./excel-in-node";
import { placeOf } from "./names";
import { type Cell, type HostSheet, newSheet } from "./sheet";
import { movedFormula } from "../../src/formula/references";

/** The copy has twins of the workbook's names, scoped to it and naming its own cells. */
export function copySheet(excel: NodeExcel, name: string, to: string): void {
  const from = excel.sheet(name);
  const copy = newSheet(to);
  for (const [row, line] of from.cells) copy.cells.set(row, new Map(line));
  for (const [cell, value] of from.shown) copy.shown.set(cell, value);
  for (const [cell, size] of from.spills) copy.spills.set(cell, size);
  copy.formats.push(...from.formats);
  excel.sheets.push(copy);
  const own = excel.names.filter(({ scope, formula }) => scope === null && placeOf(formula)?.sheet === name);
  for (const each of own) {
    const formula = each.formula.replace(/^=.*!/, `='${to.replaceAll("'", "''")}'!`);
    excel.names.push({ ...each, scope: copy, formula });
  }
}

/** Turns the order of the rows round: formulas read as in their new row, names stay. */
export function sortRows(
  sheet: HostSheet,
  { from, to, cols }: { readonly from: number; readonly to: number; readonly cols: number },
): void {
  const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) =>
    sheet.cells.get(from + index),
  );
  for (const [index, line] of lines.entries()) {
    const row = to - index;
    const next = new Map<number, Cell>(
      [...(line ?? [])].map(([col, cell]) => {
        const isMoved = col < cols && typeof cell === "string" && cell.startsWith("=");
        return [col, isMoved ? movedFormula(cell, { rows: row - (from + index), cols: 0 }) : cell];
      }),
    );
    sheet.cells.set(row, next);
  }
}
