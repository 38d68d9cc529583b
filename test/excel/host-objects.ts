/**
 * Excel's objects in the host: workbook, sheets, ranges, areas, with members named as in Office's documentation. Only what
 * INV uses is here. A missing member is refused as Excel refuses an API that it lacks. A method that may find nothing
 * returns null, which is a null object to the add-in.
 */
import { areaAddress } from "../../src/workbook/addresses";
import type { Block } from "./block";
import { calculateCells, recalculate } from "./calculation";
import {
  cellProperties,
  chartCollection,
  columnProperties,
  conditionalFormats,
  copyFormats,
  fillColumns,
  type HostTable,
  numberFormats,
  rangeFormat,
  setNumberFormats,
  tableCollection,
} from "./formatting";
import type { ExcelHost } from "./host";
import { entireLines } from "./move-lines";
import { nameCollection } from "./names";
import { type HostObject, refuse } from "./rich-api";
import { clearCells, commonBlock, copySheet, deleteSheet, rangesAround } from "./sheet-moves";
import {
  type Cell,
  cellsOf,
  cellsOfBlock,
  contents,
  copyValues,
  enter,
  errorBlocks,
  formulaBlocks,
  type HostSheet,
  newSheet,
  filledBlock,
  spilledCells,
  usedBlock,
} from "./sheet";
import { shownBy } from "./values";

/** The workbook, from which all paths begin. */
export function createHostObjects(host: ExcelHost): HostObject {
  const worksheets = {
    get items() {
      return host.sheets.map((sheet) => worksheet(sheet));
    },
    getItem: (key: string) => worksheet(sheetBy(key) ?? refuse("ItemNotFound")),
    getItemOrNullObject: (key: string) => {
      const sheet = sheetBy(key);
      return sheet === undefined ? null : worksheet(sheet);
    },
    add(name: string) {
      if (host.isProtected) refuse("AccessDenied");
      const isTaken = host.sheets.some((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
      if (isTaken) refuse("ItemAlreadyExists");
      const sheet = newSheet(name);
      sheet.shows = host.shows;
      sheet.addedInTrip = host.trips.length;
      host.sheets.push(sheet);
      return worksheet(sheet);
    },
    _registerDataChangedEvent: nothing,
    _registerAddedEvent: nothing,
    _registerDeletedEvent: nothing,
    _registerEventNameChanged: nothing,
    _unregisterDataChangedEvent: nothing,
    _unregisterAddedEvent: nothing,
    _unregisterDeletedEvent: nothing,
    _unregisterEventNameChanged: nothing,
  };

  const application = {
    get calculationMode() {
      return host.calculationMode;
    },
    set calculationMode(mode: ExcelHost["calculationMode"]) {
      host.calculationMode = mode;
    },
    calculate: () => host.sheets.forEach(recalculate),
    suspendScreenUpdatingUntilNextSync: nothing,
  };

  const tables: HostTable[] = [];
  return {
    worksheets,
    application,
    functions: {
      date: (year: number, month: number, day: number) => ({
        value: Date.UTC(year, month - 1, day) / 86_400_000 + (host.countsFrom1904 ? 24_107 : 25_569),
      }),
    },
    protection: {
      get protected() {
        return host.isProtected;
      },
    },
    names: namesOf(null),
    tables: tableCollection(tables, range, worksheet, host.names),
    notes: {
      add: (cell: { readonly sheet: HostSheet; readonly block: Block }, text: string) =>
        void cell.sheet.formatting.push({ kind: "note", block: cell.block, text }),
    },
    getSelectedRange() {
      const { sheet, blocks } = selected();
      const [first, ...others] = blocks;
      return first !== undefined && others.length === 0 ? range(sheet, first) : refuse("InvalidSelection");
    },
    getSelectedRanges() {
      const { sheet, blocks } = selected();
      return rangeAreas(sheet, blocks);
    },
  };

  function namesOf(scope: HostSheet | null): HostObject {
    return nameCollection({ names: host.names, scope, sheet: sheetBy, rangeOf: range });
  }

  function sheetBy(key: string): HostSheet | undefined {
    return host.sheets.find(({ id, name }) => name === key || id === key);
  }

  function selected(): { readonly sheet: HostSheet; readonly blocks: readonly Block[] } {
    const { selection } = host;
    return selection === null
      ? refuse("InvalidSelection")
      : { sheet: host.sheet(selection.sheet), blocks: selection.blocks };
  }

  function worksheet(sheet: HostSheet): HostObject {
    return {
      get id() {
        return sheet.id;
      },
      get name() {
        return sheet.name;
      },
      set name(nameAfter: string) {
        const nameBefore = sheet.name;
        sheet.name = nameAfter;
        host.tellOfSheet("onNameChanged", { nameBefore, nameAfter });
      },
      get visibility() {
        return sheet.visibility;
      },
      set visibility(visibility: HostSheet["visibility"]) {
        sheet.visibility = visibility;
      },
      protection: {
        protected: sheet.isProtected,
        protect: () => void (sheet.isProtected = true),
        unprotect: () => void (sheet.isProtected = false),
      },
      copy: () => worksheet(copySheet(host, sheet)),
      delete() {
        if (sheet.visibility === "VeryHidden") refuse("InvalidOperation");
        deleteSheet(host, sheet);
      },
      activate() {
        // Excel on the web doesn't activate a sheet in the batch that adds it (reported, office-js 930).
        if (sheet.addedInTrip !== host.trips.length) host.active = sheet.name;
      },
      freezePanes: {
        getLocationOrNullObject() {
          const [rows, cols] = [sheet.frozenRows, sheet.frozenCols];
          if (rows === 0 && cols === 0) return null;
          const block = {
            row: 0,
            col: 0,
            rows: rows === 0 ? 1_048_576 : rows,
            cols: cols === 0 ? 16_384 : cols,
          };
          return range(sheet, block);
        },
        freezeRows: (rows: number) => void (sheet.frozenRows = rows),
        freezeColumns: (cols: number) => void (sheet.frozenCols = cols),
        freezeAt({ block }: { readonly block: Block }) {
          sheet.frozenRows = block.rows;
          sheet.frozenCols = block.cols;
        },
      },
      charts: chartCollection(sheet),
      get names() {
        return host.refusesSheetNames ? refuse("InvalidSelection") : namesOf(sheet);
      },
      getUsedRangeOrNullObject() {
        const block = usedBlock(sheet);
        return block === null ? null : range(sheet, block);
      },
      // A blank sheet has its first cell in use (documented).
      getUsedRange: () => range(sheet, filledBlock(sheet) ?? { row: 0, col: 0, rows: 1, cols: 1 }),
      getRange: () => range(sheet, { row: 0, col: 0, rows: 1_048_576, cols: 16_384 }),
      getRangeByIndexes: (row: number, col: number, rows: number, cols: number) =>
        range(sheet, { row, col, rows, cols }),
    };
  }

  function range(sheet: HostSheet, block: Block): HostObject {
    const keep = (property: string, value: unknown): void => {
      allowed(sheet);
      sheet.formats.push({ block, property, value });
    };
    return {
      rowIndex: block.row,
      columnIndex: block.col,
      rowCount: block.rows,
      columnCount: block.cols,
      get values() {
        return shownBy(sheet, block, host.culture).values;
      },
      get text() {
        return shownBy(sheet, block, host.culture).text;
      },
      get valueTypes() {
        return shownBy(sheet, block, host.culture).valueTypes;
      },
      get valuesAsJson() {
        return shownBy(sheet, block, host.culture).valuesAsJson;
      },
      get formulas() {
        return contents(sheet, block, "formulas");
      },
      set formulas(value) {
        allowed(sheet);
        for (const [r, line] of matrixFor(block, value).entries()) {
          // Null leaves the cell as it is (documented).
          line.forEach((cell, c) => cell === null || enter(sheet, block.row + r, block.col + c, cell));
        }
        if (host.fillsTables) fillColumns(tables, sheet, block);
      },
      get hasSpill() {
        const spilled = spilledCells(sheet);
        const count = cellsOfBlock(block).filter((cell) => spilled.has(cell)).length;
        return count === 0 ? false : count === block.rows * block.cols ? true : null;
      },
      getMergedAreasOrNullObject() {
        const merged = sheet.merged.filter((each) => commonBlock(each, block) !== null);
        return merged.length === 0 ? null : rangeAreas(sheet, merged);
      },
      savedAsArray: false,
      getSpillingToRangeOrNullObject() {
        const size = sheet.spills.get(cellsOfBlock(block)[0] ?? "");
        return size === undefined ? null : range(sheet, { ...block, ...size });
      },
      conditionalFormats: conditionalFormats(sheet, block, (blocks) => rangeAreas(sheet, blocks)),
      set rowHidden(isHidden: boolean) {
        allowed(sheet);
        setHidden(sheet.hiddenRows, { from: block.row, count: block.rows }, isHidden);
      },
      set columnHidden(isHidden: boolean) {
        allowed(sheet);
        setHidden(sheet.hiddenCols, { from: block.col, count: block.cols }, isHidden);
      },
      getCellProperties: () => cellProperties(sheet, block),
      getColumnProperties: () => columnProperties(sheet, block),
      getRowProperties: () =>
        Array.from({ length: block.rows }, (_, at) => ({ rowHidden: sheet.hiddenRows.has(block.row + at) })),
      get numberFormat() {
        return numberFormats(sheet, block);
      },
      set numberFormat(value: unknown) {
        allowed(sheet);
        setNumberFormats(sheet, block, matrixFor(block, value));
      },
      format: Object.assign(rangeFormat(keep), { protection: { locked: true } }),
      get worksheet() {
        return worksheet(sheet);
      },
      getSpecialCellsOrNullObject(kind: string, values?: string) {
        allowed(sheet);
        const blocks =
          kind === "Constants" && values === "Errors" ? errorBlocks(sheet) : formulaBlocks(sheet);
        return blocks.length === 0 ? null : rangeAreas(sheet, blocks);
      },
      setDirty: () => rangeAreas(sheet, [block], areaAddress(block)).setDirty(),
      calculate: () => rangeAreas(sheet, [block], areaAddress(block)).calculate(),
      select: () => void (host.selection = { sheet: sheet.name, blocks: [block] }),
      // Office.js splits a large write into bands of rows with these three members.
      block,
      sheet,
      _validateArraySize(rows: number, cols: number) {
        if (rows !== block.rows || cols !== block.cols) refuse("InvalidArgument");
      },
      ...entireLines(host, sheet, block),
      ...rangesAround({ block, sheet }, (other) => range(sheet, other)),
      clear: (applyTo?: string) => (applyTo === "Formats" ? undefined : clearCells(sheet, block)),
      copyFrom(
        { sheet: source, block: from }: { readonly sheet: HostSheet; readonly block: Block },
        what: string,
      ) {
        allowed(sheet);
        if (what === "Formats") copyFormats(source, sheet);
        else if (what === "Values") copyValues(source, from, sheet, block);
        else refuse("InvalidArgument");
      },
    };
  }

  function rangeAreas(sheet: HostSheet, blocks: readonly Block[], address = "") {
    return {
      areaCount: blocks.length,
      areas: {
        get items() {
          return blocks.map((block) => range(sheet, block));
        },
      },
      get worksheet() {
        return worksheet(sheet);
      },
      setDirty() {
        allowed(sheet);
        sheet.dirty.push(address);
        for (const cell of cellsOf([address])) sheet.waiting.add(cell);
      },
      calculate() {
        allowed(sheet);
        sheet.calculated.push(address);
        calculateCells(sheet, cellsOf([address]));
      },
    };
  }
}

function setHidden(
  hidden: Set<number>,
  { from, count }: { readonly from: number; readonly count: number },
  isHidden: boolean,
): void {
  for (let at = from; at < from + count; at += 1) {
    if (isHidden) hidden.add(at);
    else hidden.delete(at);
  }
}

/** The host reports every event; Microsoft's runtime decides who listens. */
const nothing = (): void => undefined;

function allowed(sheet: HostSheet): void {
  if (sheet.isProtected) refuse("AccessDenied");
}

/** Excel refuses a matrix whose shape differs from its range. */
function matrixFor(block: Block, value: unknown): (Cell | null)[][] {
  const matrix = value as (Cell | null)[][];
  const fits = matrix.length === block.rows && matrix.every((line) => line.length === block.cols);
  return fits ? matrix : refuse("InvalidArgument");
}
