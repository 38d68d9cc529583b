/**
 * Opens the grid and connects it to the add-in's functions: the table of settled calls, the calculation, the reasons,
 * and the workbook port. The page reaches the grid's engine only through this file, so it can load the engine as a
 * chunk.
 */
import { IUndoRedoService } from "@univerjs/core";
import { ILayoutService } from "@univerjs/preset-sheets-core";
import { unawaited } from "../domain/unawaited";
import { areaAddress, functionAddress } from "../workbook/addresses";
import { createCellCalls } from "./functions/cell-calls";
import type { CustomFunctions } from "./functions/custom-functions";
import type { FunctionDescription } from "./functions/functions-file";
import { createSettledCalls } from "./functions/settled-calls";
import { repairMarkup } from "./univer/accessibility";
import { createEngineCalculation } from "./univer/calculation/engine-calculation";
import { createCellReasons } from "./univer/cell-reasons";
import { createGrid } from "./univer/create-grid";
import { bindEnterAndTab } from "./univer/edits/enter-and-tab";
import { editedText } from "./univer/edits/edited-text";
import { copyOut, pasteFromElsewhere } from "./univer/edits/clipboard";
import { keepText, readTypedCells } from "./univer/edits/typed-cells";
import { fileBook } from "./univer/file-sheets";
import { createGridWorkbook } from "./univer/grid-workbook";
import { keepKeyboard } from "./univer/keep-keyboard";
import { addCellMenu, addInsertMenus } from "./univer/menu";
import {
  activeSheetKey,
  formulasWithoutValue,
  onSavedChange,
  openSpills,
  type SavedBook,
  snapshotOf,
} from "./univer/snapshot";

export interface OpenGridOptions {
  readonly container: HTMLElement;
  readonly descriptions: readonly FunctionDescription[];
  readonly functions: CustomFunctions;
  readonly dark: boolean;
  /** The workbook saved on this device; null for a new one. */
  readonly saved: SavedBook | null;
  /** Shows why a person's action failed; "" clears the message. */
  tell(sentence: string): void;
}

export type OpenGrid = ReturnType<typeof openGrid>;

/** A grid needs at least one sheet; this one is removed when there are others. */
const firstSheet = "Sheet1";

export function openGrid(options: OpenGridOptions) {
  const { container, descriptions, functions, dark, saved, tell } = options;
  const table = createSettledCalls();
  const calls = createCellCalls({
    functions,
    table,
    addressOf: ({ sheetId, row, col }) => {
      const sheet = book?.getSheetBySheetId(sheetId)?.getName() ?? sheetId;
      return functionAddress(sheet, areaAddress({ row, col, rows: 1, cols: 1 }));
    },
  });
  const grid = createGrid({
    container,
    descriptions,
    evaluate: calls.evaluate,
    dark,
    firstSheet,
    // The grid would keep the arrays in its own data.
    saved: saved && { ...saved, arrays: undefined },
  });
  keepText(grid);
  // The internal workbook, because the public API takes a tenth of a second for ten thousand names.
  const book = grid.api.getActiveWorkbook()?.getWorkbook();
  if (saved !== null) openSpills(grid, saved);
  const calculation = createEngineCalculation(grid, table);
  if (saved !== null) {
    for (const array of saved.arrays?.blocked ?? []) calculation.blocked.add(array);
    calculation.recalculate(formulasWithoutValue(grid));
  }
  const { ofSelection, spokenSelection } = createCellReasons(grid, calls.explain, calculation);
  const workbook = createGridWorkbook(grid, calculation, calls.refused);
  pasteFromElsewhere({ grid, workbook, tell });
  readTypedCells(grid);
  copyOut(grid);
  bindEnterAndTab(grid);
  repairMarkup(document.body);
  const focus = (): void => grid.injector.get(ILayoutService).focus();
  addInsertMenus(grid);
  keepKeyboard(container, { focusCells: focus, isEditing: () => editedText(grid) !== null });

  return {
    workbook,
    focus,
    spokenSelection,
    undo: () => unawaited(grid.api.undo()),
    redo: () => unawaited(grid.api.redo()),
    reasonOfSelection: ofSelection,
    /** True until every cell has its value and nothing is left to calculate. */
    get busy(): boolean {
      return calculation.busy;
    },
    get hasWaitingCells(): boolean {
      return table.pendingCalls > 0;
    },
    onChange(listener: () => void) {
      calculation.onChange(listener);
      workbook.onSelection(listener);
    },
    setDark: (isDark: boolean) => grid.api.toggleDarkMode(isDark),
    /** The text being typed into a cell; null while no cell is edited. */
    editedFormula: () => editedText(grid),
    async addTools() {
      const { addTools } = await import(/* webpackChunkName: "grid-tools" */ "./univer/tools");
      addTools(grid);
    },
    /** Adds INV's entries to the cell menu. `run` gets the id of the chosen command. */
    addCellMenu: (run: (id: string) => void) => addCellMenu(grid.api, run),
    /** The sheets for a download, read while they are written. */
    fileBook: () => fileBook(grid),
    snapshot: () => snapshotOf(grid, { blocked: calculation.blocked, refused: calls.refused() }),
    onSavedChange(listener: (isEdit: boolean) => void) {
      onSavedChange(grid, listener);
      workbook.onSetting(() => listener(false));
    },
    showSavedTab() {
      const shown = grid.api.getActiveWorkbook();
      const id: unknown = shown?.getCustomMetadata()?.[activeSheetKey];
      if (typeof id === "string" && shown?.getSheetBySheetId(id)) shown.setActiveSheet(id);
    },
    /** Calls the listener with the id of the sheet in view, now and after every change. */
    onSheetShown(listener: (sheetId: string) => void) {
      const shown = grid.api.getActiveWorkbook()?.getActiveSheet().getSheetId();
      if (shown !== undefined) listener(shown);
      grid.api.addEvent(grid.api.Event.ActiveSheetChanged, ({ activeSheet }) =>
        listener(activeSheet.getSheetId()),
      );
    },
    /** What the work does is no step that a person would undo. */
    async withoutUndo<T>(work: () => Promise<T>): Promise<T> {
      const undo = grid.injector.get(IUndoRedoService);
      const before = undo.pitchTopUndoElement();
      const done = await work();
      if (undo.pitchTopUndoElement() !== before) undo.popUndoToRedo();
      return done;
    },
    /** Removes the empty first sheet and clears the undo history, so that undo can't remove the start sheets. */
    finishBuilding() {
      const built = grid.api.getActiveWorkbook();
      const sheet = built?.getSheetByName(firstSheet);
      if (!built || !sheet) return;
      if (built.getNumSheets() > 1) built.deleteSheet(sheet);
      grid.injector.get(IUndoRedoService).clearUndoRedo(built.getId());
    },
  };
}
