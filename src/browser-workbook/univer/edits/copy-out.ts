/**
 * Copies cells for other programs. Each copied cell states its content and format, also a spilled cell, which the
 * grid treats as empty. `copied-cell.ts` formats them for each program.
 */
import type { ICellData, IRange } from "@univerjs/core";
import { ISheetClipboardService } from "@univerjs/preset-sheets-core";
import { isInvFormula } from "../../../formula/calls";
import { copiedAttributes } from "../../copy/copied-cell";
import { createCellReader } from "../cell-reader";
import type { Grid } from "../create-grid";
import { formatsOf } from "../formatting";

export function copyForOthers(grid: Grid): void {
  const reader = createCellReader(grid);
  let attributesAt: (row: number, col: number) => Record<string, string> = () => ({});
  let spilledAt: (row: number, col: number) => SpilledCell | undefined = () => undefined;

  grid.injector.get(ISheetClipboardService).addClipboardHook({
    id: "inv-copy",
    onBeforeCopy(_unitId, sheetId, range) {
      forget();
      const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(sheetId);
      if (!sheet) return;
      const formulas = new Map<string, string>();
      reader.eachFormula(sheet, (row, col, formula) => formulas.set(`${row}:${col}`, formula));
      attributesAt = (row, col) => {
        const at = { row, col, rows: 1, cols: 1 };
        const [value = null] = reader.values(sheet, at).flat();
        const [format] = formatsOf(sheet, at).flat();
        const text = formulas.get(`${row}:${col}`);
        const { rows, cols } = reader.spillSize(sheetId, row, col);
        // Other programs don't know INV's functions, and the copied values of a spill would block the spill there.
        const isOurs = text === undefined || rows * cols > 1 || isInvFormula(text);
        const formula = isOurs ? {} : { formula: { text, row, col } };
        return copiedAttributes({ value, numberFormat: format?.numberFormat, ...formula });
      };
      spilledAt = (row, col) => {
        const origin = reader.spillOrigin(sheetId, row, col);
        if (origin === null || (origin.row === row && origin.col === col)) return undefined;
        const at = { row, col, rows: 1, cols: 1 };
        const look = sheet.getSheet().getCellRaw(row, col);
        const displayV = reader.text(sheet, at)[0]?.[0] ?? "";
        // Its formula is copied too, and spills again where it is pasted in the grid.
        if (holds(range, origin)) return { ...look, displayV };
        const [v = null] = reader.values(sheet, at).flat();
        const pattern = reader.spilledFormat(sheet, { row, col });
        return { ...look, ...(pattern === null ? {} : { s: { n: { pattern } } }), v, displayV };
      };
    },
    getCellValueBySpecialMatrix: (row, col) => spilledAt(row, col),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the grid's own hooks use it, and know no other yet.
    onCopyCellStyle: (row, col) => attributesAt(row, col),
    onAfterCopy: forget,
  });

  function forget(): void {
    attributesAt = () => ({});
    spilledAt = () => undefined;
  }
}

type SpilledCell = ICellData & { readonly displayV: string };

function holds({ startRow, endRow, startColumn, endColumn }: IRange, at: Position): boolean {
  return at.row >= startRow && at.row <= endRow && at.col >= startColumn && at.col <= endColumn;
}

interface Position {
  readonly row: number;
  readonly col: number;
}
