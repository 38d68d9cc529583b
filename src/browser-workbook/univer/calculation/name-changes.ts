/**
 * Formulas whose names were defined, changed or removed. The grid keeps what it once read of a formula, and doesn't read
 * `=Stores*2` again when the name Stores is defined: it would show #NAME? forever.
 */
import {
  IDefinedNamesService,
  IFunctionService,
  type ISetDefinedNameMutationParam,
} from "@univerjs/preset-sheets-core";
import { definedNamesIn } from "../../../formula/calls";
import type { CellPlace } from "../../functions/cell-values";
import { createCellReader } from "../cell-reader";
import type { Grid } from "../grid";

/**
 * Finds the formulas with this name, and has the grid forget what it read of them. A calculation of these cells reads them
 * again if it names the spellings.
 */
export function formulasWithName(grid: Grid, { unitId, name, hidden }: ISetDefinedNameMutationParam) {
  // No formula refers to INV's hidden names.
  if (hidden === true) return { places: [], spellings: [] };
  const changed = new Set([name.toLowerCase()]);
  const all = Object.values(grid.injector.get(IDefinedNamesService).getDefinedNameMap(unitId) ?? {});
  // Names may refer to names.
  for (let size = 0; size < changed.size;) {
    size = changed.size;
    for (const one of all) {
      if (mentions(`=${one.formulaOrRefString}`).length > 0) changed.add(one.name.toLowerCase());
    }
  }
  const places: CellPlace[] = [];
  const spellings = new Set<string>();
  const reader = createCellReader(grid);
  for (const sheet of grid.api.getActiveWorkbook()?.getSheets() ?? []) {
    reader.eachFormula(sheet, (row, col, formula) => {
      const found = mentions(formula);
      if (found.length > 0) places.push({ sheetId: sheet.getSheetId(), row, col });
      for (const each of found) spellings.add(each);
    });
  }
  grid.injector.get(IFunctionService).deleteFormulaAstCacheKey(...spellings);
  return { places, spellings: [...spellings] };

  function mentions(formula: string): readonly string[] {
    return definedNamesIn(formula).filter((each) => changed.has(each.toLowerCase()));
  }
}
