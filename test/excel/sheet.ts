/** The host's sheets: cells, formats, and records of what was marked and calculated. */
import { columnIndex, columnName } from "../../src/formula/columns";
import type { Block } from "./block";

/** An error, by its English name. */
export interface ErrorCell {
  readonly error: string;
}

/** A number with a format, which functions may return. */
export interface FormattedCell {
  readonly number: number;
  readonly format: string;
}

export type Cell = string | number | boolean | ErrorCell | FormattedCell;

export interface HostSheet {
  /** Stays the same when the sheet is renamed (documented). */
  readonly id: string;
  name: string;
  visibility: "Visible" | "Hidden" | "VeryHidden";
  /** The number of round trips before the one that added the sheet; null for a sheet of the opened file. */
  addedInTrip: number | null;
  isProtected: boolean;
  /** Formulas and constants by row, then column. Text that looks like a formula keeps its apostrophe. */
  readonly cells: Map<number, Map<number, Cell>>;
  /** Formatting may extend beyond the filled cells. */
  formattedTo: { readonly rows: number; readonly cols: number } | null;
  readonly formats: { readonly block: Block; readonly property: string; readonly value: unknown }[];
  /** Addresses of area lists, as they were given. */
  readonly dirty: string[];
  readonly calculated: string[];
  /** Cells that will run at the next recalculation, and all cells that ran, in order, as `C2`. */
  readonly waiting: Set<string>;
  readonly ran: string[];
  frozenRows: number;
  frozenCols: number;
  /** What formulas show, by cell as `C2`. */
  readonly shown: Map<string, Cell>;
  /** What formulas show that `shown` lacks. Default: 0. */
  shows: (formula: string) => Cell;
  /**
   * Formulas, by cell as `C2`, that were read from the file before Excel knew INV. They show #NAME? until they are entered
   * again (office-js issues 6355 and 6611).
   */
  readonly unrecognized: Set<string>;
  /** Size of each formula's spill, by cell as `C2`. The test itself puts the spilled values. */
  readonly spills: Map<string, { readonly rows: number; readonly cols: number }>;
  readonly merged: Block[];
  readonly hiddenRows: Set<number>;
  readonly hiddenCols: Set<number>;
  /** Rules, notes, tables and charts, in the order in which they were created. */
  readonly formatting: Record<string, unknown>[];
  /** Texts as they were given, apostrophes included. */
  readonly inputs: string[];
}

/** The id of a sheet that was added with this name. */
export function idOf(sheet: string): string {
  return `{id of ${sheet}}`;
}

export function newSheet(name: string, id = idOf(name)): HostSheet {
  return {
    id,
    name,
    visibility: "Visible",
    addedInTrip: null,
    isProtected: false,
    cells: new Map(),
    formattedTo: null,
    formats: [],
    dirty: [],
    calculated: [],
    waiting: new Set(),
    ran: [],
    frozenRows: 0,
    frozenCols: 0,
    shown: new Map(),
    shows: () => 0,
    unrecognized: new Set(),
    spills: new Map(),
    merged: [],
    hiddenRows: new Set(),
    hiddenCols: new Set(),
    formatting: [],
    inputs: [],
  };
}

/** Types into a cell as a person would: an apostrophe makes text, digits become a number. */
export function enter(sheet: HostSheet, row: number, col: number, input: Cell): void {
  const line = sheet.cells.get(row) ?? new Map<number, Cell>();
  sheet.cells.set(row, line);
  sheet.unrecognized.delete(`${columnName(col)}${row + 1}`);
  if (typeof input === "string") sheet.inputs.push(input);
  line.set(col, typeof input === "string" && !input.startsWith("=") ? typed(input) : input);
}

/** Errors that can be typed in, in English if formulas are English. */
const errorConstants = /^#(?:N\/A|VALUE!|REF!|NAME\?|DIV\/0!|NUM!|NULL!)$/i;

export function isErrorCell(cell: Cell): cell is ErrorCell {
  return typeof cell === "object" && "error" in cell;
}

export function isFormattedCell(cell: Cell): cell is FormattedCell {
  return typeof cell === "object" && "format" in cell;
}

function typed(input: string): Cell {
  if (errorConstants.test(input)) return { error: input.toUpperCase() };
  if (input.startsWith("'=")) return input;
  if (input.startsWith("'")) return input.slice(1);
  if (input !== "" && Number.isFinite(Number(input))) return Number(input);
  return /^(true|false)$/i.test(input) ? input.toLowerCase() === "true" : input;
}

export function usedBlock(sheet: HostSheet): Block | null {
  let rows = sheet.formattedTo?.rows ?? 0;
  let cols = sheet.formattedTo?.cols ?? 0;
  for (const [row, line] of sheet.cells) {
    rows = Math.max(rows, row + 1);
    for (const col of line.keys()) cols = Math.max(cols, col + 1);
  }
  return rows === 0 ? null : { row: 0, col: 0, rows, cols };
}

/** From the first filled cell to the last one. Null for a blank sheet. */
export function filledBlock(sheet: HostSheet): Block | null {
  const rows: number[] = [];
  const cols: number[] = [];
  for (const [row, line] of sheet.cells) {
    for (const [col, cell] of line) {
      if (cell === "") continue;
      rows.push(row);
      cols.push(col);
    }
  }
  if (rows.length === 0) return null;
  const [row, col] = [Math.min(...rows), Math.min(...cols)];
  return { row, col, rows: Math.max(...rows) - row + 1, cols: Math.max(...cols) - col + 1 };
}

/**
 * What cells contain or show. The host calculates no formulas: they show what the test sets. `formulas` drops the
 * apostrophe that makes text of `=A1`, so only the value shows the difference (reported for Office.js).
 */
export function contents(sheet: HostSheet, block: Block, property: "formulas" | "values"): Cell[][] {
  return Array.from({ length: block.rows }, (_, r) => {
    const line = sheet.cells.get(block.row + r);
    return Array.from({ length: block.cols }, (_unused, c) => {
      const held = line?.get(block.col + c) ?? "";
      const isText = typeof held === "string" && held.startsWith("'=");
      if (isText) return held.slice(1);
      const cell = held;
      if (property === "formulas") return isErrorCell(cell) ? cell.error : cell;
      if (typeof cell !== "string" || !cell.startsWith("=")) return cell;
      const address = `${columnName(block.col + c)}${block.row + r + 1}`;
      return sheet.unrecognized.has(address)
        ? { error: "#NAME?" }
        : (sheet.shown.get(address) ?? sheet.shows(cell));
    });
  });
}

/** Pastes what cells show, from another sheet; the target is the first cell. */
export function copyValues(from: HostSheet, source: Block, to: HostSheet, target: Block): void {
  for (const [r, line] of contents(from, source, "values").entries()) {
    for (const [c, value] of line.entries()) {
      if (value === "") continue;
      const plain = typeof value === "object" && "number" in value ? value.number : value;
      const row = to.cells.get(target.row + r) ?? new Map<number, Cell>();
      const text = typeof plain === "string" && plain.startsWith("=") ? `'${plain}` : plain;
      to.cells.set(target.row + r, row.set(target.col + c, text));
    }
  }
}

export function errorBlocks(sheet: HostSheet): Block[] {
  return [...sheet.cells].flatMap(([row, line]) =>
    [...line].flatMap(([col, cell]) => (isErrorCell(cell) ? [{ row, col, rows: 1, cols: 1 }] : [])),
  );
}

/** The cells that formulas with a spill fill, as `C2`. */
export function spilledCells(sheet: HostSheet): ReadonlySet<string> {
  return new Set([...sheet.spills].flatMap(([cell, size]) => cellsOfBlock({ ...parseBlock(cell), ...size })));
}

/** One block for each unbroken run of formulas in a column. */
export function formulaBlocks(sheet: HostSheet): Block[] {
  const byColumn = new Map<number, number[]>();
  for (const [row, line] of sheet.cells) {
    for (const [col, cell] of line) {
      if (typeof cell !== "string" || !cell.startsWith("=")) continue;
      const rows = byColumn.get(col);
      if (rows) rows.push(row);
      else byColumn.set(col, [row]);
    }
  }
  const blocks: { row: number; col: number; rows: number; cols: number }[] = [];
  for (const [col, rows] of byColumn) {
    for (const row of rows.sort((a, b) => a - b)) {
      const last = blocks.at(-1);
      if (last?.col === col && last.row + last.rows === row) last.rows += 1;
      else blocks.push({ row, col, rows: 1, cols: 1 });
    }
  }
  return blocks;
}

/** The cells in address lists, as `C2` texts. */
export function cellsOf(addresses: readonly string[]): string[] {
  return addresses.flatMap((list) => list.split(",").flatMap((address) => cellsOfBlock(parseBlock(address))));
}

export function cellsOfBlock({ row, col, rows, cols }: Block): string[] {
  return Array.from({ length: rows * cols }, (_, index) => {
    return `${columnName(col + (index % cols))}${row + Math.floor(index / cols) + 1}`;
  });
}

export function parseBlock(address: string): Block {
  const [, left = "", top = "", right = left, bottom = top] =
    /^([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?$/.exec(address) ?? [];
  const col = columnIndex(left);
  const row = Number(top) - 1;
  return { row, col, rows: Number(bottom) - row, cols: columnIndex(right) - col + 1 };
}
