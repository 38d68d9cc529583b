/**
 * Ctrl+Enter, as in Excel: what was typed goes into every selected cell but those that a filter hides, and its references
 * shift from the cell in which it was typed. The grid itself would write the same formula everywhere, into the last of several areas
 * only, and nothing where the first cell's own content stays. One step to undo.
 */
import { type ICellData, ICommandService, type IRange } from "@univerjs/core";
import {
  IEditorBridgeService,
  KeyCode,
  MetaKeys,
  SetCellEditVisibleOperation,
  SetRangeValuesCommand,
  SheetsSelectionsService,
} from "@univerjs/preset-sheets-core";
import { createCellReader } from "../cell-reader";
import { formulaData } from "../cell-data";
import type { Grid } from "../create-grid";

type CellMatrix = Record<number, Record<number, ICellData>>;

interface Fill {
  readonly sheetId: string;
  readonly row: number;
  readonly col: number;
  readonly ranges: readonly IRange[];
}

const fillKeys: ReadonlySet<unknown> = new Set([
  KeyCode.ENTER | MetaKeys.CTRL_COMMAND,
  KeyCode.ENTER | MetaKeys.MAC_CTRL,
]);

export function fillSelections(grid: Grid): void {
  const commands = grid.injector.get(ICommandService);
  const reader = createCellReader(grid);
  /** What Ctrl+Enter is about to write; null once it is written. */
  let asked: Fill | null = null;

  function fillOfEditor(): Fill | null {
    const edited = grid.injector.get(IEditorBridgeService).getEditCellState();
    if (!edited) return null;
    const { sheetId, row, column: col } = edited;
    const selections = grid.injector.get(SheetsSelectionsService).getCurrentSelections();
    return { sheetId, row, col, ranges: selections.map(({ range }) => range) };
  }

  function filled({ sheetId, row, col, ranges }: Fill, typed: ICellData): CellMatrix {
    const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(sheetId);
    const lastRow = (sheet?.getMaxRows() ?? 1) - 1;
    const lastCol = (sheet?.getMaxColumns() ?? 1) - 1;
    const formulas = grid.api.getFormula();
    const cells: CellMatrix = {};
    for (const { startRow, endRow, startColumn, endColumn } of ranges) {
      // The edges of whole rows and columns are no numbers.
      for (let r = startRow || 0; r <= Math.min(endRow || lastRow, lastRow); r += 1) {
        if (sheet?.getSheet().getRowFiltered(r)) continue;
        const line = (cells[r] ??= {});
        for (let c = startColumn || 0; c <= Math.min(endColumn || lastCol, lastCol); c += 1) {
          line[c] = typed.f
            ? { ...typed, f: formulas.moveFormulaRefOffset(typed.f, c - col, r - row), si: null }
            : typed;
        }
      }
    }
    return cells;
  }

  /** What the first cell holds already, for the others. */
  function fillWithContent(fill: Fill): void {
    const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(fill.sheetId);
    const own = sheet?.getSheet().getCellRaw(fill.row, fill.col);
    if (!sheet || !own || fill.ranges.length === 0) return;
    const [content] = reader.formulas(sheet, { row: fill.row, col: fill.col, rows: 1, cols: 1 }).flat();
    if (content === null || content === undefined || content === "") return;
    const isFormula = typeof own.f === "string" || typeof own.si === "string";
    const { v, t, p } = own;
    const typed = isFormula ? formulaData(String(content)) : { f: null, si: null, p: p ?? null, v, t };
    void commands.syncExecuteCommand(SetRangeValuesCommand.id, {
      unitId: sheet.getWorkbook().getUnitId(),
      subUnitId: fill.sheetId,
      value: filled(fill, typed),
    });
  }

  const isFillKey = (params: unknown): boolean => {
    const { visible, keycode } = (params ?? {}) as { visible?: boolean; keycode?: unknown };
    return visible === false && fillKeys.has(keycode);
  };
  commands.beforeCommandExecuted(({ id, params }) => {
    if (id === SetCellEditVisibleOperation.id) asked = isFillKey(params) ? fillOfEditor() : null;
    if (id !== SetRangeValuesCommand.id || asked === null) return;
    const given = params as { value: unknown };
    given.value = filled(asked, given.value as ICellData);
    asked = null;
  });
  commands.onCommandExecuted(({ id, params }) => {
    if (id !== SetCellEditVisibleOperation.id || !isFillKey(params) || asked === null) return;
    const unchanged = asked;
    asked = null;
    fillWithContent(unchanged);
  });
}
