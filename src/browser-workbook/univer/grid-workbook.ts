/**
 * Implements the workbook port for the grid. All data is plain, because the caller is the add-in in the frame's realm. This file hides how the grid differs
 * from Excel: text that looks like a number stays text, and a sheet grows if something is written beyond its edge.
 */
import type { ICellData, IDisposable } from "@univerjs/core";
import type { FWorkbook, FWorksheet } from "@univerjs/preset-sheets-core";
import { createNotices } from "../../domain/notices";
import { contains } from "../../workbook/addresses";
import { withKind } from "../../workbook/cell-content";
import type {
  Area,
  CellContent,
  CellRef,
  DefinedName,
  FormulaCell,
  NewSheet,
  SheetCopy,
  Workbook,
} from "../../workbook/port";
import { removeUnfinished } from "../../workbook/unfinished-sheets";
import { freeSheetName } from "../../workbook/sheet-names";
import { isPending, stillWaiting } from "../../workbook/still-waiting";
import { styles } from "../../workbook/templates/styles";
import { type CellCalls, maxCells } from "../functions/cell-calls";
import { placeKey } from "../functions/cell-values";
import { createCellReader } from "./cell-reader";
import { cellStyle, dataOf, fillCells } from "./cell-data";
import type { Grid } from "./grid";
import { createPace } from "../page-turns";
import type { EngineCalculation } from "./calculation/engine-calculation";
import { followGridEdits } from "./edits/grid-edits";
import { applyFormat, formatsOf, stylesOf } from "./styles/cell-formats";
import { addHighlight, copyRules, highlightsOn } from "./styles/conditional-formats";
import { showReadersNumbers, showSpilledFormats, widenForNumbers } from "./styles/shown-numbers";
import { patchMovedRules } from "./patches/patch-moved-rules";
import { patchNumberDrawing } from "./patches/patch-number-drawing";
import { ensureSheetSize } from "./sheet-size";
import { groupUndo } from "./patches/patch-undo-groups";
import { createGridSelection } from "./grid-selection";

const newSheetRows = 1000;
const newSheetCols = 26;
/** In pixels. */
const noteSize = { width: 240, height: 100, show: false };

export interface GridWorkbook extends Workbook {
  /** Writes data of the grid's own cells, as one undo step. */
  fill(area: Area, cells: readonly (readonly ICellData[])[]): Promise<void>;
  onSetting(listener: (key: string, value: string) => void): void;
}

/** @param refused the cells that the page doesn't calculate, because it has too many INV formulas */
export function createGridWorkbook(
  grid: Grid,
  calculation: EngineCalculation,
  refused: CellCalls["refused"],
): GridWorkbook {
  const reader = createCellReader(grid);
  const settings = createNotices<{ readonly key: string; readonly value: string }>();
  showSpilledFormats(grid);
  showReadersNumbers(grid);
  patchNumberDrawing(widenForNumbers(grid));
  patchMovedRules(grid);
  let stepDepth = 0;
  let undoGroup: IDisposable | null = null;

  function book(): FWorkbook {
    const workbook = grid.api.getActiveWorkbook();
    if (workbook === null) throw new Error("The workbook is closed. Reload the page.");
    return workbook;
  }

  function sheetOf(ref: { readonly sheet: string }): FWorksheet {
    const sheet = book().getSheetByName(ref.sheet) ?? book().getSheetBySheetId(ref.sheet);
    if (sheet === null) {
      throw new Error(`There is no sheet named ${ref.sheet}. It may have been renamed or deleted.`);
    }
    return sheet;
  }

  function sheetIds(): ReadonlyMap<string, string> {
    return new Map(
      book()
        .getSheets()
        .map((sheet) => [sheet.getSheetName(), sheet.getSheetId()]),
    );
  }

  function rangeOf(area: Area) {
    const sheet = sheetOf(area);
    ensureSheetSize(sheet, area);
    return sheet.getRange(area.row, area.col, area.rows, area.cols);
  }

  /** The grid itself treats a text that looks like an error as an error. */
  function contents(area: Area): CellContent[][] {
    return reader.values(sheetOf(area), area).map((row) => row.map(withKind));
  }

  async function step<T>(work: () => Promise<T>): Promise<T> {
    // Steps can be nested; the outermost one is the undo step.
    if (stepDepth === 0) undoGroup = groupUndo(grid);
    stepDepth += 1;
    try {
      return await work();
    } finally {
      stepDepth -= 1;
      if (stepDepth === 0) undoGroup?.dispose();
    }
  }

  const host = { rangeOf, step };
  const selection = createGridSelection(grid, book);
  // A template's styles are many calls, half a second in total.
  const pace = createPace();

  function addSheet(name: string, options: NewSheet = {}): string {
    const names = book()
      .getSheets()
      .map((sheet) => sheet.getSheetName());
    const free = freeSheetName(name, names);
    const before = book().getActiveSheet();
    const sheet = book().create(free, newSheetRows, newSheetCols, { sheet: { defaultStyle: cellStyle } });
    if (options.frozenRows !== undefined) sheet.setFrozenRows(options.frozenRows);
    if (options.frozenCols !== undefined) sheet.setFrozenColumns(options.frozenCols);
    // As in Excel, adding a sheet doesn't bring it into view.
    book().setActiveSheet(before);
    return sheet.getSheetId();
  }

  function usedArea(sheet: string): Area | null {
    const { endRow, endColumn } = sheetOf({ sheet }).getDataRange().getRange();
    // The grid's own range leaves out spilled cells.
    const spilled = reader.spilledTo(sheetOf({ sheet }).getSheetId());
    const [rows, cols] = [Math.max(endRow + 1, spilled.rows), Math.max(endColumn + 1, spilled.cols)];
    const area = { sheet, row: 0, col: 0, rows, cols };
    const isEmpty =
      area.rows === 1 && area.cols === 1 && reader.values(sheetOf({ sheet }), area)[0]?.[0] === null;
    return isEmpty ? null : area;
  }

  async function copySheets(copies: readonly SheetCopy[]): Promise<void> {
    // Read at once, because somebody may edit while the copies are written.
    const read = copies.map((copy) => ({
      copy,
      values: contents(copy.area),
      looks: stylesOf(sheetOf(copy.area), copy.area, copy.formats),
    }));
    if (read.some(({ values }) => values.flat().some(isPending))) throw stillWaiting();
    const made: { readonly id: string; readonly name: string }[] = [];
    try {
      for (const { copy, values, looks } of read) {
        const source = sheetOf(copy.area);
        const frozen = { rows: source.getFrozenRows(), cols: source.getFrozenColumns() };
        const frozenRows = frozen.rows === 0 ? 0 : frozen.rows + copy.above.length;
        const sheet = addSheet(copy.to, { frozenRows, frozenCols: frozen.cols });
        made.push({ id: sheet, name: copy.to });
        const cells = dataOf(values, { asText: true }).map((row, r) =>
          row.map((cell, c) => ({ ...cell, ...looks[r]?.[c] })),
        );
        await fillCopy(copy, sheet, cells);
      }
    } catch (error) {
      const names = made.map(({ name }) => name);
      await removeUnfinished(error, names, async () => {
        for (const { id } of made) await port.deleteSheet(id);
      });
    }
  }

  async function fillCopy({ area, above }: SheetCopy, sheet: string, cells: ICellData[][]): Promise<void> {
    const source = sheetOf(area);
    const moved = { ...area, sheet, row: area.row + above.length };
    const [widths = []] = formatsOf(source, { ...area, rows: 1 });
    for (const [col, { widthPx }] of widths.entries()) {
      if (widthPx !== undefined) await port.format({ sheet, row: 0, col, rows: 1, cols: 1 }, { widthPx });
    }
    await fillCells(host, moved, cells);
    const [lines, copy] = [source.getSheet(), sheetOf(moved)];
    for (let row = 0; row < area.rows; row += 1) {
      if (!lines.getRowVisible(area.row + row)) copy.hideRows(moved.row + row);
    }
    for (let col = 0; col < area.cols; col += 1) {
      if (!lines.getColVisible(area.col + col)) copy.hideColumns(moved.col + col);
    }
    copyRules(source, sheetOf(moved), above.length);
    const top = { sheet, row: 0, col: 0, rows: above.length, cols: 1 };
    await port.format(top, { ...styles.note, align: "left" });
    await port.write(
      top,
      above.map((line) => [line]),
      { asText: true },
    );
  }

  function beyondLimit(): CellRef[] {
    return [...refused().values()].flatMap(({ sheetId, row, col }) => {
      const sheet = book().getSheetBySheetId(sheetId);
      const { f: formula, si: filledFrom } = sheet?.getSheet().getCellRaw(row, col) ?? {};
      return sheet && (formula ?? filledFrom ?? "") !== "" ? [{ sheet: sheet.getSheetName(), row, col }] : [];
    });
  }

  const port: GridWorkbook = {
    mostInvCells: maxCells,
    onBeyondLimit(listener) {
      let hasTold = false;
      calculation.onChange(() => {
        if (calculation.busy) return;
        const cells = beyondLimit();
        if (cells.length > 0 || hasTold) listener(cells);
        hasTold = cells.length > 0;
      });
    },
    sheets: () =>
      Promise.resolve(
        book()
          .getSheets()
          .map((sheet) => ({
            id: sheet.getSheetId(),
            name: sheet.getSheetName(),
            visible: !sheet.isSheetHidden(),
            isProtected: false,
          })),
      ),
    addSheet: (name, options) => Promise.resolve(addSheet(name, options)),
    deleteSheet(id) {
      const sheet = book().getSheetBySheetId(id);
      if (sheet !== null) book().deleteSheet(sheet);
      return Promise.resolve();
    },
    usedArea: (sheet) => Promise.resolve(usedArea(sheet)),
    read(area, what) {
      return Promise.resolve(reader[what](sheetOf(area), area));
    },
    contentsOf: (areas) => Promise.resolve(areas.map(contents)),
    fill: (area, cells) => fillCells(host, area, cells),
    write: (area, cells, options) => fillCells(host, area, dataOf(cells, options)),
    format(area, format) {
      rangeOf(area);
      applyFormat({ grid, sheet: sheetOf(area) }, area, format);
      return pace();
    },
    formatsOf: (area) => Promise.resolve(formatsOf(sheetOf(area), area)),
    copyWithValues: (copies) => step(() => copySheets(copies)),
    highlight(area, rule) {
      rangeOf(area);
      // The grid's rules don't see spilled cells, which are the cells that heat is for.
      if (rule.kind !== "heat") addHighlight(sheetOf(area), area, rule);
      return Promise.resolve();
    },
    highlightsOf: (sheet) => Promise.resolve(highlightsOn(sheetOf({ sheet }))),
    note(cell, text) {
      const place = { id: `inv-${cell.row}-${cell.col}`, row: cell.row, col: cell.col };
      rangeOf({ ...cell, rows: 1, cols: 1 }).createOrUpdateNote({ ...place, ...noteSize, note: text });
      return Promise.resolve();
    },
    notesOf: (sheet) =>
      Promise.resolve(
        sheetOf({ sheet })
          .getNotes()
          .map(({ row, col, note }) => ({ cell: { sheet, row, col }, text: note })),
      ),
    // The grid has no tables and no charts, which the templates take into account. People fill down new rows
    // themselves.
    addTable: () => Promise.resolve(),
    tables: () => Promise.resolve([]),
    names: () => Promise.resolve(namesIn(book())),
    numberFormats: (cells) =>
      Promise.resolve(
        cells.map((ref) => {
          const [[format] = []] = formatsOf(sheetOf(ref), { ...ref, rows: 1, cols: 1 });
          return format?.numberFormat ?? "General";
        }),
      ),
    broughtFormats(cells) {
      // The grid takes 0.1 ms to find a sheet, and there may be a cell for each time on a large one.
      const sheets = new Map(
        [...new Set(cells.map(({ sheet }) => sheet))].map((sheet) => [sheet, sheetOf({ sheet })]),
      );
      return Promise.resolve(
        cells.map((ref) => reader.spilledFormat(sheets.get(ref.sheet) ?? sheetOf(ref), ref)),
      );
    },
    addChart: () => Promise.resolve(false),
    extents(cells) {
      const ids = sheetIds();
      return Promise.resolve(
        cells.map(({ sheet, row, col }) => ({
          sheet,
          row,
          col,
          ...reader.spillSize(ids.get(sheet) ?? sheetOf({ sheet }).getSheetId(), row, col),
          isSharedArray: false,
        })),
      );
    },
    hiddenRows({ sheet, row, rows }) {
      const lines = sheetOf({ sheet }).getSheet();
      return Promise.resolve(Array.from({ length: rows }, (_, at) => !lines.getRowVisible(row + at)));
    },
    findFormulas(matches, within) {
      const beyond = refused();
      const found: FormulaCell[] = [];
      for (const sheet of book().getSheets()) {
        const name = sheet.getSheetName();
        const areas = within?.filter((area) => area.sheet === name);
        if (areas?.length === 0) continue;
        reader.eachFormula(sheet, (row, col, formula) => {
          const isWithin = areas?.some((area) => contains(area, { sheet: name, row, col })) ?? true;
          if (!isWithin || !matches(formula)) return;
          const isBeyondLimit = beyond.has(placeKey({ sheetId: sheet.getSheetId(), row, col }));
          found.push({ sheet: name, row, col, formula, ...(isBeyondLimit && { isBeyondLimit }) });
        });
      }
      return Promise.resolve(found);
    },
    recalculate(cells, options) {
      const ids = sheetIds();
      calculation.recalculate(
        cells.flatMap(({ sheet, row, col }) => {
          const sheetId = ids.get(sheet);
          return sheetId === undefined ? [] : [{ sheetId, row, col }];
        }),
        options,
      );
      return Promise.resolve([]);
    },
    calculated: () =>
      new Promise((resolve) => {
        const stop = calculation.onChange(look);
        function look(): void {
          if (calculation.busy) return;
          stop();
          resolve();
        }
        look();
      }),
    onEdit: (listener) => followGridEdits(grid, listener),
    onSelection: selection.onChange,
    select(area) {
      selection.select(sheetOf(area), area);
      return Promise.resolve();
    },
    setting(key) {
      const value: unknown = book().getCustomMetadata()?.[key];
      return Promise.resolve(typeof value === "string" ? value : null);
    },
    setSetting(key, value) {
      book().setCustomMetadata({ ...book().getCustomMetadata(), [key]: value });
      settings.tell({ key, value });
      return Promise.resolve();
    },
    step: (work) => step(() => work(port)),
    onSetting: (listener) => settings.subscribe(({ key, value }) => listener(key, value)),
  };
  return port;
}

/** The grid stores a name's formula with or without its `=`. */
function namesIn(book: FWorkbook): DefinedName[] {
  return book.getDefinedNames().map((each) => {
    const formula = each.getFormulaOrRefString();
    const sheetId = each.isWorkbookScope() ? undefined : each.getLocalSheetId();
    return {
      name: each.getName(),
      sheet: sheetId === undefined ? null : (book.getSheetBySheetId(sheetId)?.getSheetName() ?? null),
      formula: formula.startsWith("=") ? formula : `=${formula}`,
    };
  });
}
