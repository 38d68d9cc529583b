/**
 * Keys that Excel has taught and the grid does not know: Ctrl+Home to the first cell that scrolls, Ctrl+End to the last
 * one in use, Ctrl+Shift+= to insert rows, columns or cells as the selection is, Shift+F11 for a new sheet. While a
 * cell is edited they are the editor's.
 */
import { CommandType, ICommandService, RANGE_TYPE } from "@univerjs/core";
import {
  type FWorksheet,
  InsertColBeforeCommand,
  InsertRangeMoveDownConfirmCommand,
  InsertRowBeforeCommand,
  InsertSheetCommand,
  IShortcutService,
  KeyCode,
  MetaKeys,
  whenSheetEditorFocused,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";
import { createReveal } from "../reveal";

/** The grid's list of keys lacks these. */
const homeKey = 36;
const endKey = 35;
const f11Key = 122;

export function bindExcelKeys(grid: Grid): void {
  const commands = grid.injector.get(ICommandService);
  const shortcuts = grid.injector.get(IShortcutService);
  const reveal = createReveal(grid);

  function select(sheet: FWorksheet, row: number, col: number): void {
    sheet.getRange(row, col).activate();
    reveal(sheet, { row, col, rows: 1, cols: 1 });
  }

  const sheetInView = (): FWorksheet | undefined => grid.api.getActiveWorkbook()?.getActiveSheet();

  function bind(id: string, binding: number, act: (sheet: FWorksheet) => void): void {
    commands.registerCommand({
      id,
      type: CommandType.COMMAND,
      handler() {
        const sheet = sheetInView();
        if (sheet) act(sheet);
        return Boolean(sheet);
      },
    });
    shortcuts.registerShortcut({ id, binding, preconditions: whenSheetEditorFocused });
  }

  bind("inv.command.first-cell", homeKey | MetaKeys.CTRL_COMMAND, (sheet) =>
    select(sheet, Math.max(0, sheet.getFrozenRows()), Math.max(0, sheet.getFrozenColumns())),
  );
  bind("inv.command.last-cell", endKey | MetaKeys.CTRL_COMMAND, (sheet) => {
    const { endRow, endColumn } = sheet.getDataRange().getRange();
    select(sheet, endRow, endColumn);
  });
  bind("inv.command.insert", KeyCode.EQUAL | MetaKeys.CTRL_COMMAND | MetaKeys.SHIFT, (sheet) => {
    const range = sheet.getActiveRange()?.getRange();
    if (!range) return;
    const { rangeType, startRow, endRow, startColumn, endColumn } = range;
    if (rangeType === RANGE_TYPE.ROW) {
      void commands.executeCommand(InsertRowBeforeCommand.id, { value: endRow - startRow + 1 });
    } else if (rangeType === RANGE_TYPE.COLUMN) {
      void commands.executeCommand(InsertColBeforeCommand.id, { value: endColumn - startColumn + 1 });
    } else void commands.executeCommand(InsertRangeMoveDownConfirmCommand.id);
  });
  bind("inv.command.new-sheet", f11Key | MetaKeys.SHIFT, () => {
    void commands.executeCommand(InsertSheetCommand.id);
  });
}
