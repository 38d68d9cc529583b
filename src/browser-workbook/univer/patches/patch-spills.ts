/**
 * `FormulaRuntimeService.setRuntimeData`: the cells that an array formula fills.
 * The engine lets an array overwrite a formula without a value, so the order of formulas decides which one wins. It writes
 * old values into formulas that block an array. Here a cell with a formula always blocks, and only its own formula writes its
 * value. Blocked arrays are remembered, and tried again when a cell that they would fill changes.
 */
import {
  type ArrayValueObject,
  ErrorType,
  ErrorValueObject,
  type FunctionVariantType,
  IFormulaCurrentConfigService,
  IFormulaRuntimeService,
} from "@univerjs/preset-sheets-core";
import { type IRange, type IUnitRange, ObjectMatrix, Rectangle } from "@univerjs/core";
import type { Grid } from "../grid";
import { replaceMember } from "./replace-member";

export interface BlockedArrays {
  all(): readonly BlockedArray[];
  /** Those that would fill a cell of these ranges. */
  within(ranges: readonly IUnitRange[]): readonly BlockedArray[];
  /** Adds an array that was blocked when the workbook was saved. */
  add(array: BlockedArray): void;
  /** The cells that this cell's formula would fill; null if nothing blocks it. */
  at(sheetId: string, row: number, col: number): IRange | null;
}

/** The cell of a formula whose array is blocked. */
export interface BlockedArray extends IUnitRange {
  /** The range that the array would fill. */
  readonly target: IRange;
}

export function patchSpills({ injector }: Pick<Grid, "injector">): BlockedArrays {
  const runtime = injector.get(IFormulaRuntimeService);
  const config = injector.get(IFormulaCurrentConfigService);
  const blocked = new Map<string, BlockedArray>();
  const formulaKey = (sheetId: string, row: number, col: number) => `${sheetId}:${row}:${col}`;

  replaceMember(runtime, { of: "FormulaRuntimeService", member: "setRuntimeData" }, (write) => (result) => {
    const { currentUnitId, currentSubUnitId, currentRow, currentColumn } = runtime;
    const key = formulaKey(currentSubUnitId, currentRow, currentColumn);
    const target = targetOf(result);
    blocked.delete(key);
    if (target === null) {
      write(result);
      return;
    }
    if (hasOtherFormula(target)) write(ErrorValueObject.create(ErrorType.SPILL));
    else write(result);
    if (calculatedCells()?.getValue(currentRow, currentColumn)?.v !== ErrorType.SPILL) return;
    const range = oneCell(currentRow, currentColumn);
    blocked.set(key, { unitId: currentUnitId, sheetId: currentSubUnitId, range, target });
    // With a range of its own, its next calculation would delete the values of other arrays.
    const ranges = runtime.getUnitArrayFormula()[currentUnitId]?.[currentSubUnitId];
    if (ranges) new ObjectMatrix(ranges).realDeleteValue(currentRow, currentColumn);
    // Without a range the error would stay among the arrays' values, where formulas that refer to the cell look first.
    const values = runtime.getRuntimeArrayFormulaCellData()[currentUnitId]?.[currentSubUnitId];
    values?.realDeleteValue(currentRow, currentColumn);
  });

  function calculatedCells() {
    return runtime.getUnitData()[runtime.currentUnitId]?.[runtime.currentSubUnitId];
  }

  /** The cells that the array would fill; null for a single value. */
  function targetOf(result: FunctionVariantType): IRange | null {
    if (!result.isReferenceObject() && !(result.isValueObject() && result.isArray())) return null;
    const { startRow, endRow, startColumn, endColumn } = (result as ArrayValueObject).getRangePosition();
    if (startRow === endRow && startColumn === endColumn) return null;
    const { currentRow, currentColumn } = runtime;
    return {
      startRow: currentRow,
      startColumn: currentColumn,
      endRow: currentRow + endRow - startRow,
      endColumn: currentColumn + endColumn - startColumn,
    };
  }

  function hasOtherFormula({ startRow, endRow, startColumn, endColumn }: IRange): boolean {
    const formulas = config.getFormulaData()[runtime.currentUnitId]?.[runtime.currentSubUnitId] ?? {};
    for (let row = startRow; row <= endRow; row += 1) {
      for (let col = startColumn; formulas[row] && col <= endColumn; col += 1) {
        const isOwn = row === startRow && col === startColumn;
        if (!isOwn && formulas[row]?.[col]) return true;
      }
    }
    return false;
  }

  return {
    all: () => [...blocked.values()],
    within: (ranges) =>
      [...blocked.values()].filter(({ sheetId, target }) =>
        ranges.some((each) => each.sheetId === sheetId && Rectangle.intersects(each.range, target)),
      ),
    add(array) {
      const { startRow, startColumn } = array.range;
      blocked.set(formulaKey(array.sheetId, startRow, startColumn), array);
    },
    at: (sheetId, row, col) => blocked.get(formulaKey(sheetId, row, col))?.target ?? null,
  };
}

function oneCell(row: number, col: number): IRange {
  return { startRow: row, endRow: row, startColumn: col, endColumn: col };
}
