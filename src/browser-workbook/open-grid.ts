/**
 * Opens the grid and connects it to the add-in's functions: the table of settled calls, the calculation, the reasons,
 * and the workbook port. The page reaches the grid's engine only through this file, so it can load the engine as a
 * chunk.
 */
import { IUndoRedoService } from "@univerjs/core";
import { ILayoutService } from "@univerjs/preset-sheets-core";
import { callerAddress } from "./cell-address";
import { createCellCalls } from "./functions/cell-calls";
import type { CustomFunctions } from "./functions/custom-functions";
import type { FunctionDescription } from "./functions/functions-file";
import { repairMarkup } from "./univer/accessibility";
import { editedText } from "./univer/edits/edited-text";
import { addCellMenu } from "./univer/cell-menu";
import { createCellReasons } from "./univer/cell-reasons";
import { keepKeyboard } from "./univer/keep-keyboard";
import { createGrid, type Grid } from "./univer/create-grid";
import { createEngineCalculation } from "./univer/calculation/engine-calculation";
import { formattingOf, type SheetFormatting } from "./univer/formatting";
import { patchArrayFunctions } from "./univer/patches/patch-array-functions";
import { keepVisibleSheetActive } from "./univer/visible-sheet";
import { createGridWorkbook, type GridWorkbook } from "./univer/grid-workbook";
import { copyOut } from "./univer/edits/copy-out";
import { bindEnterAndTab } from "./univer/edits/enter-and-tab";
import { readTypedCells } from "./univer/edits/typed-cells";
import { pasteFromElsewhere } from "./univer/edits/paste-into-grid";
import { activeSheetKey, onSavedChange, countSavedFormulas, snapshotOf } from "./univer/snapshot";
import { createSettledCalls } from "./functions/settled-calls";

export interface OpenGridOptions {
  readonly container: HTMLElement;
  readonly descriptions: readonly FunctionDescription[];
  readonly functions: CustomFunctions;
  readonly dark: boolean;
  /** The workbook saved on this device; null for a new one. */
  readonly saved: object | null;
  /** False if the workbook did not finish calculating before; then it is shown as it was saved. */
  readonly calculates: boolean;
  /** Shows why a person's action failed; "" clears the message. */
  tell(sentence: string): void;
}

export interface OpenGrid {
  readonly workbook: GridWorkbook;
  /** True until every cell has its value and nothing is left to calculate. */
  readonly busy: boolean;
  /** If true, formulas keep their saved values until `calculateNow`. */
  readonly isPaused: boolean;
  calculateNow(): void;
  /** Calls the listener when a calculation takes too long, which pauses the workbook. */
  onGaveUp(listener: () => void): void;
  readonly waitingCells: number;
  reasonOfSelection(): string | null;
  spokenSelection(): string;
  onChange(listener: () => void): void;
  setDark(dark: boolean): void;
  focus(): void;
  /** The text being typed into a cell; null while no cell is edited. */
  editedFormula(): string | null;
  addTools(): Promise<void>;
  /** Adds INV's entries to the cell menu. `run` gets the id of the chosen command. */
  addCellMenu(run: (id: string) => void): void;
  /** Frozen panes and notes of a sheet, which the port can only write. */
  formattingOf(sheet: string): SheetFormatting;
  /** Removes the empty first sheet and clears the undo history, so that undo can't remove the start sheets. */
  finishBuilding(): void;
  snapshot(): object;
  onSavedChange(listener: () => void): void;
  showSavedTab(): void;
}

/** A grid needs at least one sheet; this one is removed when there are others. */
const firstSheet = "Sheet1";

const noFormulas = { withoutValue: [], formulas: 0 };
/** A workbook with more formulas is shown as it was saved: calculating it would take minutes. */
const mostFormulas = 200_000;

export function openGrid(options: OpenGridOptions): OpenGrid {
  const table = createSettledCalls();
  const calls = createCellCalls({
    functions: options.functions,
    table,
    addressOf: ({ sheetId, row, col }) => callerAddress(sheetName(sheetId), row, col),
  });
  const grid: Grid = createGrid({
    container: options.container,
    descriptions: options.descriptions,
    evaluate: calls.evaluate,
    dark: options.dark,
    firstSheet,
    saved: options.saved,
  });
  patchArrayFunctions(grid);
  keepVisibleSheetActive(grid);
  // The internal workbook, because the public API takes a tenth of a second for ten thousand names.
  const book = grid.api.getActiveWorkbook()?.getWorkbook();
  const sheetName = (sheetId: string): string => book?.getSheetBySheetId(sheetId)?.getName() ?? sheetId;
  const calculation = createEngineCalculation(grid, table);
  const { withoutValue, formulas } = options.saved === null ? noFormulas : countSavedFormulas(grid);
  let isPaused = !options.calculates || formulas > mostFormulas;
  calculation.onGaveUp(() => (isPaused = true));
  if (isPaused) calculation.pause();
  else calculation.recalculate(withoutValue);
  const reasons = createCellReasons(grid, calls.explain, calculation.blocked);
  const workbook = createGridWorkbook(grid, calculation);
  pasteFromElsewhere(grid, options.tell);
  readTypedCells(grid, options.tell);
  copyOut(grid);
  bindEnterAndTab(grid);
  repairMarkup(document.body);
  const focus = (): void => grid.injector.get(ILayoutService).focus();
  keepKeyboard(options.container, focus);

  return {
    workbook,
    get busy() {
      return calculation.busy;
    },
    get isPaused() {
      return isPaused;
    },
    calculateNow() {
      isPaused = false;
      calculation.resume();
      calculation.recalculate(withoutValue);
    },
    onGaveUp: calculation.onGaveUp,
    get waitingCells() {
      return table.pendingCells;
    },
    reasonOfSelection: reasons.ofSelection,
    spokenSelection: reasons.spokenSelection,
    onChange(listener) {
      calculation.onChange(listener);
      workbook.onSelection(listener);
    },
    setDark: (dark) => grid.api.toggleDarkMode(dark),
    focus,
    editedFormula: () => editedText(grid),
    async addTools() {
      const { addTools } = await import(/* webpackChunkName: "grid-tools" */ "./univer/tools");
      addTools(grid);
    },
    addCellMenu: (run) => addCellMenu(grid, run),
    formattingOf: (sheet) => formattingOf(grid, sheet),
    snapshot: () => snapshotOf(grid),
    onSavedChange(listener) {
      onSavedChange(grid, listener);
      workbook.onSetting(listener);
    },
    showSavedTab() {
      const book = grid.api.getActiveWorkbook();
      const id: unknown = book?.getCustomMetadata()?.[activeSheetKey];
      if (typeof id === "string" && book?.getSheetBySheetId(id)) book.setActiveSheet(id);
    },
    finishBuilding() {
      const book = grid.api.getActiveWorkbook();
      const sheet = book?.getSheetByName(firstSheet);
      if (!book || !sheet) return;
      if (book.getNumSheets() > 1) book.deleteSheet(sheet);
      grid.injector.get(IUndoRedoService).clearUndoRedo(book.getId());
    },
  };
}
