/**
 * Copies cells for other programs. Texts say that they are texts, because Excel would read `00012345678905` as a number
 * without its zeros. Numbers bring all their digits. Spilled cells bring their values; the grid would copy them as empty.
 */
import type { IRange } from "@univerjs/core";
import { ISheetClipboardService } from "@univerjs/preset-sheets-core";
import { createCellReader, isInRange } from "../cell-reader";
import type { Grid } from "../grid";

export function copyOut(grid: Grid): void {
  const reader = createCellReader(grid);
  let copied: { readonly sheetId: string; readonly range: IRange } | null = null;
  const copiedSheet = () =>
    (copied && grid.api.getActiveWorkbook()?.getSheetBySheetId(copied.sheetId)) ?? null;

  grid.injector.get(ISheetClipboardService).addClipboardHook({
    id: "inv-copy",
    onBeforeCopy: (_unitId, sheetId, range) => (copied = { sheetId, range }),
    getCellValueBySpecialMatrix(row, col) {
      const sheet = copiedSheet();
      const origin = copied && reader.spillOrigin(copied.sheetId, row, col);
      if (!copied || !sheet || !origin || (origin.row === row && origin.col === col)) return undefined;
      const at = { row, col, rows: 1, cols: 1 };
      const look = sheet.getSheet().getCellRaw(row, col);
      const displayV = reader.text(sheet, at)[0]?.[0] ?? "";
      // Its formula is copied too, and spills again where it is pasted in the grid.
      if (isInRange(copied.range, origin)) return { ...look, displayV };
      const [v = null] = reader.values(sheet, at).flat();
      const pattern = reader.spilledFormat(sheet, { row, col });
      return { ...look, ...(pattern === null ? {} : { s: { n: { pattern } } }), v, displayV };
    },
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the grid itself uses it, and has no successor.
    onCopyCellStyle(row, col): Record<string, string> | null {
      const sheet = copiedSheet();
      const value = sheet && reader.values(sheet, { row, col, rows: 1, cols: 1 })[0]?.[0];
      if (typeof value === "string") return { style: String.raw`mso-number-format:'\@'` };
      return typeof value === "number" ? { "x:num": String(value) } : null;
    },
    onAfterCopy: () => (copied = null),
  });
}
