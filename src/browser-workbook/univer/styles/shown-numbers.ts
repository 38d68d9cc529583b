/**
 * How cells show their numbers: in the reader's convention, in the format that a spilled value brings, and in a column that is wide
 * enough. Only the drawing and widths that nobody has set change.
 */
import {
  CellValueType,
  ICommandService,
  InterceptorEffectEnum,
  numfmt,
  type Worksheet,
} from "@univerjs/core";
import {
  FormulaDataModel,
  IEditorBridgeService,
  INTERCEPTOR_POINT,
  SetWorksheetColWidthMutation,
  SheetInterceptorService,
} from "@univerjs/preset-sheets-core";
import { systemFormat } from "../../paste/locale-format";
import type { Grid } from "../grid";

/** A language tag that belongs to nobody. */
const readersLanguage = "zxx";

/** The grid has formatted the numbers that have a format (10). */
const afterNumberFormats = 8;

/**
 * Shows numbers in cells with the separators of the reader's system, as everything else on the page, and shows nothing where a
 * format says so, such as `0;;` for zero. Formats keep Excel's English codes. The grid formats numbers with a format in a language
 * of its own choice, others always with a point, and shows a number that its format hides.
 */
export function showReadersNumbers({ api, injector }: Grid): void {
  const { decimal, group } = systemFormat();
  const isEnglish = decimal === "." && group === ",";
  if (!isEnglish) {
    numfmt.addLocale({ decimal, group }, readersLanguage);
    // Its type lists only the languages that the package brings.
    api.getActiveWorkbook()?.setNumfmtLocal(readersLanguage as "en");
  }
  injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    id: "inv-readers-numbers",
    priority: afterNumberFormats,
    effect: InterceptorEffectEnum.Value,
    handler(cell, { workbook }, next) {
      if (
        typeof cell?.v !== "number" ||
        cell.t === CellValueType.STRING ||
        cell.t === CellValueType.BOOLEAN
      ) {
        return next(cell);
      }
      const pattern = workbook.getStyles().getStyleByCell(cell)?.n?.pattern;
      const isHidden = pattern !== undefined && numfmt.format(pattern, cell.v, { throws: false }) === "";
      if (isHidden) return next({ ...cell, v: "" });
      if (isEnglish || Number.isInteger(cell.v)) return next(cell);
      return next({ ...cell, v: String(cell.v).replace(".", decimal), t: CellValueType.NUMBER });
    },
  });
}

/** The grid has added the spilled value (100), and has not yet formatted numbers (10). */
const beforeNumberFormats = 50;

/**
 * Shows the dates in a spill as dates. The formula's own cell takes the format of its value; here this also applies
 * to the cells of its spill without their own format, as in Excel.
 */
export function showSpilledFormats(grid: Grid): void {
  const model = grid.injector.get(FormulaDataModel);
  grid.injector.get(SheetInterceptorService).intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    id: "inv-spilled-formats",
    priority: beforeNumberFormats,
    effect: InterceptorEffectEnum.Style | InterceptorEffectEnum.Value,
    handler(cell, { unitId, subUnitId, row, col, workbook }, next) {
      if (typeof cell?.v !== "number") return next(cell);
      const spilled = model.getArrayFormulaCellData()[unitId]?.[subUnitId]?.[row]?.[col];
      if (!spilled) return next(cell);
      const styles = workbook.getStyles();
      const brought = styles.getStyleByCell(spilled)?.n;
      const cellStyle = styles.getStyleByCell(cell) ?? {};
      return next(
        brought?.pattern && !cellStyle.n?.pattern ? { ...cell, s: { ...cellStyle, n: brought } } : cell,
      );
    },
  });
}

/** A cell that is drawn as #### because its column is too narrow. */
export interface CutNumber {
  readonly sheet: Worksheet;
  readonly row: number;
  readonly col: number;
  readonly widthPx: number;
}

/**
 * Widens a column for numbers that don't fit if nobody has set its width, as Excel does when a date is entered. A
 * column keeps a width set by a person, a template or a file, also if a person narrowed it after it was widened here.
 * Widening is not an undo step, because nobody asked for it.
 */
export function widenForNumbers(grid: Grid): (number: CutNumber) => void {
  const commands = grid.injector.get(ICommandService);
  const editor = grid.injector.get(IEditorBridgeService);
  let requestedWidths = new Map<Worksheet, Map<number, number>>();
  /** Widths in pixels that were set here. They may still grow. */
  const ownWidths = new WeakMap<Worksheet, Map<number, number>>();

  function widen(): void {
    const sheets = requestedWidths;
    requestedWidths = new Map();
    // Don't move cells while a person types; the next drawing requests the width again.
    if (editor.isVisible().visible) return;
    for (const [sheet, columns] of sheets) {
      ownWidths.set(sheet, new Map([...(ownWidths.get(sheet) ?? []), ...columns]));
      const ranges = [...columns.keys()].map((col) => ({
        startRow: 0,
        endRow: sheet.getRowCount() - 1,
        startColumn: col,
        endColumn: col,
      }));
      const ids = { unitId: sheet.getUnitId(), subUnitId: sheet.getSheetId() };
      const params = { ...ids, ranges, colWidth: Object.fromEntries(columns) };
      commands.syncExecuteCommand(SetWorksheetColWidthMutation.id, params, { onlyLocal: true });
    }
  }

  return ({ sheet, row, col, widthPx }) => {
    const presentPx = sheet.getColumnManager().getColumn(col)?.w ?? null;
    const isSized = presentPx !== null && presentPx !== ownWidths.get(sheet)?.get(col);
    if (isSized || sheet.getMergedCell(row, col) !== null) return;
    // Wait for the next frame, because the grid is drawing.
    if (requestedWidths.size === 0) window.requestAnimationFrame(widen);
    const columns = requestedWidths.get(sheet) ?? new Map<number, number>();
    columns.set(col, Math.max(widthPx, columns.get(col) ?? 0));
    requestedWidths.set(sheet, columns);
  };
}
