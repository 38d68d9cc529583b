/**
 * An array that finds its cells taken shows #SPILL!. The grid's engine then writes into those cells what they showed before
 * the calculation, or nothing where they showed what an array had left there: also into a cell with a formula, which
 * would keep an old value, or be gone from the sheet (seen: histories below each other, refreshed).
 * Invariant: what a cell with a formula shows is written by that formula alone.
 */
import {
  type ArrayValueObject,
  type FunctionVariantType,
  IFormulaCurrentConfigService,
  IFormulaRuntimeService,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

export function spareFormulas({ injector }: Pick<Grid, "injector">): void {
  const runtime = injector.get(IFormulaRuntimeService);
  const config = injector.get(IFormulaCurrentConfigService);
  const write = runtime.setRuntimeData.bind(runtime);

  runtime.setRuntimeData = (result) => {
    const before = others(result).map((place) => ({
      ...place,
      value: written()?.getValue(place.row, place.col),
    }));
    write(result);
    for (const { row, col, value } of before) {
      if (value === undefined) written()?.realDeleteValue(row, col);
      else written()?.setValue(row, col, value);
    }
  };

  /** What was found in this calculation so far, in the sheet of the formula that is being calculated. */
  function written() {
    return runtime.getUnitData()[runtime.currentUnitId]?.[runtime.currentSubUnitId];
  }

  /** The cells with formulas of their own among those that this formula's array would fill. */
  function others(result: FunctionVariantType): { row: number; col: number }[] {
    if (!result.isReferenceObject() && !(result.isValueObject() && result.isArray())) return [];
    const { startRow, endRow, startColumn, endColumn } = (result as ArrayValueObject).getRangePosition();
    const { currentRow, currentColumn } = runtime;
    const formulas = config.getFormulaData()[runtime.currentUnitId]?.[runtime.currentSubUnitId] ?? {};
    const places: { row: number; col: number }[] = [];
    for (let row = currentRow; row <= currentRow + endRow - startRow; row += 1) {
      for (let col = currentColumn; col <= currentColumn + endColumn - startColumn; col += 1) {
        const isOwn = row === currentRow && col === currentColumn;
        if (!isOwn && formulas[row]?.[col]) places.push({ row, col });
      }
    }
    return places;
  }
}
