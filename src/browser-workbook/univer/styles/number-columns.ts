/**
 * Numbers that do not fit: a column that nobody has sized is widened for them, as Excel does where a date is
 * entered. One with a width of its own, from a person, a template or a file, keeps it, and so does one that a
 * person made narrower after it was widened here. It is no step to undo, because nobody asked for it.
 */
import { ICommandService, type Worksheet } from "@univerjs/core";
import { IEditorBridgeService, SetWorksheetColWidthMutation } from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

/** A cell that is drawn as #### for want of room. */
export interface CutNumber {
  readonly sheet: Worksheet;
  readonly row: number;
  readonly col: number;
  /** In which it would fit. */
  readonly widthPx: number;
}

export function widenForNumbers(grid: Grid): (number: CutNumber) => void {
  const commands = grid.injector.get(ICommandService);
  const editor = grid.injector.get(IEditorBridgeService);
  let wanted = new Map<Worksheet, Map<number, number>>();
  /** Widths given here, which may grow further. */
  const given = new WeakMap<Worksheet, Map<number, number>>();

  function widen(): void {
    const sheets = wanted;
    wanted = new Map();
    // The cells stay where they are for whoever types; what is drawn afterwards asks again.
    if (editor.isVisible().visible) return;
    for (const [sheet, columns] of sheets) {
      given.set(sheet, new Map([...(given.get(sheet) ?? []), ...columns]));
      const ranges = [...columns.keys()].map((col) => ({
        ...{ startRow: 0, endRow: sheet.getRowCount() - 1, startColumn: col, endColumn: col },
      }));
      void commands.syncExecuteCommand(SetWorksheetColWidthMutation.id, {
        unitId: sheet.getUnitId(),
        subUnitId: sheet.getSheetId(),
        ranges,
        colWidth: Object.fromEntries(columns),
      });
    }
  }

  return ({ sheet, row, col, widthPx }) => {
    const ownPx = sheet.getColumnManager().getColumn(col)?.w ?? null;
    const isSized = ownPx !== null && ownPx !== given.get(sheet)?.get(col);
    if (isSized || sheet.getMergedCell(row, col) !== null) return;
    // Not while the grid draws.
    if (wanted.size === 0) window.requestAnimationFrame(widen);
    const columns = wanted.get(sheet) ?? new Map<number, number>();
    columns.set(col, Math.max(widthPx, columns.get(col) ?? 0));
    wanted.set(sheet, columns);
  };
}
