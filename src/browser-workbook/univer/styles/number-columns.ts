/**
 * Widens a column for numbers that don't fit if nobody has set its width, as Excel does when a date is entered. A
 * column keeps a width set by a person, a template or a file, also if a person narrowed it after it was widened here.
 * Widening is not an undo step, because nobody asked for it.
 */
import { ICommandService, type Worksheet } from "@univerjs/core";
import { IEditorBridgeService, SetWorksheetColWidthMutation } from "@univerjs/preset-sheets-core";
import type { Grid } from "../grid";

/** A cell that is drawn as #### because its column is too narrow. */
export interface CutNumber {
  readonly sheet: Worksheet;
  readonly row: number;
  readonly col: number;
  readonly widthPx: number;
}

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
        ...{ startRow: 0, endRow: sheet.getRowCount() - 1, startColumn: col, endColumn: col },
      }));
      const place = { unitId: sheet.getUnitId(), subUnitId: sheet.getSheetId() };
      const params = { ...place, ranges, colWidth: Object.fromEntries(columns) };
      void commands.syncExecuteCommand(SetWorksheetColWidthMutation.id, params, { onlyLocal: true });
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
