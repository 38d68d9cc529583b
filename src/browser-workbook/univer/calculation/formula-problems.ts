/**
 * Applies the check of formulas (formula/grid-check.ts) to the open workbook: its functions, names and sheets. It keeps what it
 * read of each formula's text, because every calculation asks again.
 */
import { IDefinedNamesService, IFunctionService } from "@univerjs/preset-sheets-core";
import {
  type FormulaProblem,
  type GridSurroundings,
  inspectFormula,
  type InspectedFormula,
  problemIn,
} from "../../../formula/grid-check";
import type { Grid } from "../grid";

const maxKept = 20_000;

export function createFormulaProblems({ injector, api }: Pick<Grid, "injector" | "api">) {
  const functions = injector.get(IFunctionService);
  const definedNames = injector.get(IDefinedNamesService);
  const kept = new Map<string, InspectedFormula>();

  function inspected(formula: string): InspectedFormula {
    let found = kept.get(formula);
    if (found === undefined) {
      found = inspectFormula(formula);
      if (kept.size >= maxKept) kept.clear();
      kept.set(formula, found);
    }
    return found;
  }

  function surroundingsOf(sheetId: string): GridSurroundings {
    const book = api.getActiveWorkbook()?.getWorkbook();
    return {
      isFunction: (name) => functions.hasExecutor(name),
      formulaOf(name) {
        const all = Object.values(definedNames.getDefinedNameMap(book?.getUnitId() ?? "") ?? {});
        const named = all.filter((one) => one.name.toLowerCase() === name.toLowerCase());
        const definedName = named.find(({ localSheetId }) => localSheetId === sheetId) ?? named[0];
        if (definedName === undefined) return null;
        const { formulaOrRefString: formula } = definedName;
        return formula.startsWith("=") ? formula : `=${formula}`;
      },
      hasSheet: (name) => Boolean(book?.getSheetBySheetName(name)),
      alike(name) {
        const names = book?.getSheets().map((sheet) => sheet.getName()) ?? [];
        return names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? null;
      },
    };
  }

  /** Returns what the grid can't follow in a formula; null if there is nothing. */
  return (formula: string, sheetId: string): FormulaProblem | null =>
    problemIn(inspected(formula), surroundingsOf(sheetId));
}
