/** Translates formats of cells, and colors and bars that depend on values, between the port and the grid. */
import {
  BooleanNumber,
  generateRandomId,
  HorizontalAlign,
  type ICellData,
  ICommandService,
  type IStyleData,
  IUndoRedoService,
  type Nullable,
} from "@univerjs/core";
import {
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import {
  type FWorksheet,
  SetWorksheetColWidthMutation,
  SetWorksheetColWidthMutationFactory,
} from "@univerjs/preset-sheets-core";
import { areaAddress } from "../../../workbook/addresses";
import type { CellFormat, Highlight } from "../../../workbook/port";
import type { Rectangle } from "../cell-reader";
import type { Grid } from "../grid";

export function applyFormat(
  { grid, sheet }: { readonly grid: Grid; readonly sheet: FWorksheet },
  area: Rectangle,
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

export function formatsOf(sheet: FWorksheet, area: Rectangle): CellFormat[][] {
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

/** The grid can't draw heat. */
type GridHighlight = Exclude<Highlight, { kind: "heat" }>;

export function addHighlight(sheet: FWorksheet, area: Rectangle, highlight: GridHighlight): void {
  const { row, col, rows, cols } = area;
  sheet.addConditionalFormattingRule({
    cfId: generateRandomId(),
    stopIfTrue: false,
    ranges: [{ startRow: row, endRow: row + rows - 1, startColumn: col, endColumn: col + cols - 1 }],
    rule: ruleOf(area, highlight),
  });
}

function ruleOf({ row, col }: Rectangle, highlight: GridHighlight): IConditionFormattingRule["rule"] {
  const { kind, color } = highlight;
  if (kind === "bars") {
    const ends = { min: { type: CFValueType.num, value: 0 }, max: { type: CFValueType.max } };
    const config = { ...ends, isGradient: false, positiveColor: color, nativeColor: color };
    return { type: CFRuleType.dataBar, isShowValue: true, config };
  }
  const formula =
    kind === "formula"
      ? highlight.formula.replace(/^=/, "")
      : `${areaAddress({ row, col, rows: 1, cols: 1 })}="${highlight.equals.replaceAll('"', '""')}"`;
  return {
    type: CFRuleType.highlightCell,
    subType: CFSubRuleType.formula,
    value: `=${formula}`,
    style: { bg: { rgb: highlight.fill }, cl: { rgb: color } },
  };
}
