/**
 * Finds the cells beside an array formula's own that a calculation has changed. The engine orders formulas by the cells
 * that contain formulas, and afterwards calculates those that refer to filled cells once more. It misses cells that an array
 * no longer fills, cells that arrays fill in this second round, and formulas that refer to one array's own cell and to
 * another one's filled cells.
 */
import type { ICellData, IObjectMatrixPrimitiveType, IRange, IUnitRange, Nullable } from "@univerjs/core";
import type { FormulaDataModel, IAllRuntimeData } from "@univerjs/preset-sheets-core";
import type { CellPlace } from "../../functions/cell-values";
import { dirtyRanges } from "./dirty-ranges";

/** @param model the state before the calculation */
export function changedSpills(
  model: Pick<FormulaDataModel, "getArrayFormulaRange" | "getArrayFormulaCellData">,
  found: Pick<IAllRuntimeData, "unitData" | "arrayFormulaRange" | "arrayFormulaCellData">,
): IUnitRange[] {
  const ranges: IUnitRange[] = [];
  for (const [unitId, sheets] of Object.entries(found.unitData)) {
    const places: CellPlace[] = [];
    for (const [sheetId, calculated] of Object.entries(sheets ?? {})) {
      const before = model.getArrayFormulaRange()[unitId]?.[sheetId];
      const now = found.arrayFormulaRange[unitId]?.[sheetId];
      const valuesBefore = model.getArrayFormulaCellData()[unitId]?.[sheetId];
      const valuesNow = found.arrayFormulaCellData[unitId]?.[sheetId];
      for (const [row, col, range] of [...entries(before), ...entries(now)]) {
        if (calculated.getValue(row, col) === undefined) continue;
        for (const cell of cellsOf(range)) {
          if (cell.row === row && cell.col === col) continue;
          const was = valuesBefore?.[cell.row]?.[cell.col];
          if (!isSame(was, valuesNow?.getValue(cell.row, cell.col))) places.push({ sheetId, ...cell });
        }
      }
    }
    ranges.push(...dirtyRanges(unitId, places));
  }
  return ranges;
}

/** The ranges that arrays fill. */
export function spilledRanges(model: Pick<FormulaDataModel, "getArrayFormulaRange">): IUnitRange[] {
  return Object.entries(model.getArrayFormulaRange()).flatMap(([unitId, sheets]) =>
    Object.entries(sheets ?? {}).flatMap(([sheetId, ranges]) =>
      entries(ranges).map(([, , range]) => ({ unitId, sheetId, range: { ...range } })),
    ),
  );
}

type Matrix = Nullable<IObjectMatrixPrimitiveType<IRange>>;

function entries(matrix: Matrix): [row: number, col: number, range: IRange][] {
  const rows = Object.entries((matrix ?? {}) as Record<string, Record<string, IRange>>);
  return rows.flatMap(([row, cols]) =>
    Object.entries(cols).map(([col, range]): [number, number, IRange] => [Number(row), Number(col), range]),
  );
}

function* cellsOf({ startRow, endRow, startColumn, endColumn }: IRange) {
  for (let row = startRow; row <= endRow; row += 1) {
    for (let col = startColumn; col <= endColumn; col += 1) yield { row, col };
  }
}

function isSame(one: Nullable<ICellData>, other: Nullable<ICellData>): boolean {
  return (one?.v ?? null) === (other?.v ?? null);
}
