/** The defined names of the workbook. */
import type { FWorkbook } from "@univerjs/preset-sheets-core";
import type { DefinedName } from "../../workbook/port";

/** The grid stores a name's formula with or without its `=`. */
export function namesIn(book: FWorkbook): DefinedName[] {
  return book.getDefinedNames().map((each) => {
    const formula = each.getFormulaOrRefString();
    const sheetId = each.isWorkbookScope() ? undefined : each.getLocalSheetId();
    return {
      name: each.getName(),
      sheet: sheetId === undefined ? null : (book.getSheetBySheetId(sheetId)?.getSheetName() ?? null),
      formula: formula.startsWith("=") ? formula : `=${formula}`,
    };
  });
}
