/** Translates formats of cells between the port and the grid. */
import {
  BooleanNumber,
  HorizontalAlign,
  type ICellData,
  ICommandService,
  type IStyleData,
  IUndoRedoService,
  type Nullable,
} from "@univerjs/core";
import {
  type FWorksheet,
  SetWorksheetColWidthMutation,
  SetWorksheetColWidthMutationFactory,
} from "@univerjs/preset-sheets-core";
import type { CellArea } from "../../../formula/cells";
import type { CellFormat, SheetCopy } from "../../../workbook/port";
import type { Grid } from "../grid";

export function applyFormat(
  { grid, sheet }: { readonly grid: Grid; readonly sheet: FWorksheet },
  area: CellArea,
  format: CellFormat,
): void {
  const range = sheet.getRange(area.row, area.col, area.rows, area.cols);
  if (format.numberFormat !== undefined) {
    // With General as its own format, a cell would not show the format of its value.
    range.setNumberFormat(format.numberFormat === "General" ? "" : format.numberFormat);
  }
  if (format.bold !== undefined) range.setFontWeight(format.bold ? "bold" : "normal");
  if (format.fill !== undefined) range.setBackgroundColor(format.fill);
  if (format.color !== undefined) range.setFontColor(format.color);
  if (format.align !== undefined) {
    // The grid calls right alignment "normal".
    range.setHorizontalAlignment(format.align === "right" ? "normal" : format.align);
  }
  if (format.widthPx !== undefined) setColumnWidths(grid, sheet, { ...area, widthPx: format.widthPx });
}

/** Replaces the grid's own command, which measures every row of the sheet again: one second for the first sheets. */
function setColumnWidths(
  { injector }: Grid,
  sheet: FWorksheet,
  { col, cols, widthPx }: { readonly col: number; readonly cols: number; readonly widthPx: number },
): void {
  const unitId = sheet.getWorkbook().getUnitId();
  const rows = { startRow: 0, endRow: sheet.getMaxRows() - 1 };
  const ranges = [{ ...rows, startColumn: col, endColumn: col + cols - 1 }];
  const params = { unitId, subUnitId: sheet.getSheetId(), ranges, colWidth: widthPx };
  const before = SetWorksheetColWidthMutationFactory(params, sheet.getSheet());
  const { id } = SetWorksheetColWidthMutation;
  injector.get(ICommandService).syncExecuteCommand(id, params);
  injector.get(IUndoRedoService).pushUndoRedo({
    unitID: unitId,
    redoMutations: [{ id, params }],
    undoMutations: [{ id, params: before }],
  });
}

const alignments: ReadonlyMap<unknown, "left" | "center" | "right"> = new Map([
  [HorizontalAlign.LEFT, "left"],
  [HorizontalAlign.CENTER, "center"],
  [HorizontalAlign.RIGHT, "right"],
]);

export function formatsOf(sheet: FWorksheet, area: CellArea): CellFormat[][] {
  const { rows, cols } = area;
  const model = sheet.getSheet();
  const styles = sheet.getWorkbook().getStyles();
  const styleOf = (cell: Nullable<ICellData>): Nullable<IStyleData> => styles.getStyleByCell(cell);
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols }, (_unused, c): CellFormat => {
      const style = styleOf(model.getCellRaw(area.row + r, area.col + c)) ?? {};
      const { n: number, bl: bold, bg: fill, cl: color, ht } = style;
      const align = alignments.get(ht);
      return {
        ...(number?.pattern ? { numberFormat: number.pattern } : {}),
        ...(bold === BooleanNumber.TRUE ? { bold: true } : {}),
        ...(fill?.rgb ? { fill: fill.rgb } : {}),
        ...(color?.rgb ? { color: color.rgb } : {}),
        ...(align === undefined ? {} : { align }),
        widthPx: sheet.getColumnWidth(area.col + c),
      };
    }),
  );
}

/**
 * The styles of a copy's cells. A format that a value brought is part of its cell's style: a command for each cell would take minutes
 * for 40,000 times.
 */
export function stylesOf(
  sheet: FWorksheet,
  { row, col, rows, cols }: CellArea,
  brought: SheetCopy["formats"],
): ICellData[][] {
  const model = sheet.getSheet();
  const known = sheet.getWorkbook().getStyles();
  const patterns = new Map(brought.map(({ ref, numberFormat }) => [`${ref.row}:${ref.col}`, numberFormat]));
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols }, (_unused, c) => {
      const style = model.getCellRaw(row + r, col + c)?.s ?? null;
      const pattern = patterns.get(`${row + r}:${col + c}`);
      return { s: pattern === undefined ? style : { ...known.get(style), n: { pattern } } };
    }),
  );
}
