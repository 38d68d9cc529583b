/**
 * The ledger: the very hidden sheet `_inv` that remembers formulas INV has taken out of cells. It travels
 * in the file, holds nothing secret, and can be read by a person. Entries are only ever appended after
 * the last one and blanked in place, never moved, so that work which ends half-way leaves every
 * entry either whole or not there. Of two entries for one cell the later one holds.
 */
import { InvError } from "../../domain/errors";
import { cellKey } from "../addresses";
import { mergeCells } from "../cell-areas";
import type { CellValue, Workbook } from "../port";
import { fromRow, headings, type LedgerEntry, toRow } from "./entry";

export const ledgerSheet = "_inv";

/** What was under way when the workbook was left; `none` when all is done. */
export type LedgerState = "none" | "freezing" | "thawing";

export interface LedgerLine {
  readonly entry: LedgerEntry;
  /** Rows of the ledger's sheet that name this cell; the last of them holds. */
  readonly rows: readonly number[];
}

export interface LedgerContent {
  readonly state: LedgerState;
  readonly lines: readonly LedgerLine[];
}

export interface Ledger {
  /** Null where the workbook has no ledger. */
  read(): Promise<LedgerContent | null>;
  /** Writes the entries, and resolves when they were read back equal. @throws InvError when they were not */
  append(entries: readonly LedgerEntry[], state: LedgerState): Promise<void>;
  drop(lines: readonly LedgerLine[]): Promise<void>;
  setState(state: LedgerState): Promise<void>;
}

const mark = "INV ledger";
const version = 1;
const explanation =
  "Formulas that INV replaced by values, so that they can be put back. Please leave this sheet as it is.";
const firstLine = 2;
const width = headings.length;
/** About 40 MB of workbook; what is more is refused. */
const mostLines = 200_000;
const linesAtOnce = 2_000;
const states: readonly LedgerState[] = ["none", "freezing", "thawing"];

/** The first rows of the ledger's sheet, above so many lines. */
export function headRows(lines: number): CellValue[][] {
  const title = [mark, version, "none", explanation, firstLine + lines];
  return [title, [...headings]].map((row) => [...row, ...Array<CellValue>(width - row.length).fill(null)]);
}

export function createLedger(workbook: Workbook): Ledger {
  const head = { sheet: ledgerSheet, row: 0, col: 0, rows: firstLine, cols: width };

  async function exists(): Promise<boolean> {
    return (await workbook.sheets()).some(({ name }) => name === ledgerSheet);
  }

  /** Null for a sheet that was added and not written to: what added it ended there. */
  async function readState(): Promise<LedgerState | null> {
    const [top] = await workbook.read({ ...head, rows: 1, cols: 3 }, "values");
    const [name = null, found = null, state = null] = top ?? [];
    if (name === null && found === null) return null;
    if (name !== mark || typeof found !== "number") throw notOurs();
    if (found > version) throw newer();
    return states.find((each) => each === state) ?? "none";
  }

  /** The fifth cell of the first row says where the entries end. */
  async function readLines(): Promise<{ lines: LedgerLine[]; end: number }> {
    const [counter] = await workbook.read({ ...head, col: 4, rows: 1, cols: 1 }, "values");
    const end = Math.min(firstLine + mostLines, Math.max(firstLine, Number(counter?.[0] ?? 0)));
    const lines = new Map<string, LedgerLine>();
    for (let row = firstLine; row < end; row += linesAtOnce) {
      const rows = Math.min(linesAtOnce, end - row);
      const block = await workbook.read({ sheet: ledgerSheet, row, col: 0, rows, cols: width }, "values");
      for (const [index, cells] of block.entries()) {
        const entry = fromRow(cells);
        if (entry === null) continue;
        const key = cellKey(entry.ref);
        lines.set(key, { entry, rows: [...(lines.get(key)?.rows ?? []), row + index] });
      }
    }
    return { lines: [...lines.values()], end };
  }

  /** What is there, and where the next entry goes. */
  async function prepare(): Promise<{ lines: readonly LedgerLine[]; end: number }> {
    const isThere = await exists();
    if (!isThere) await workbook.addSheet(ledgerSheet, { veryHidden: true });
    if (!isThere || (await readState()) === null) {
      await workbook.writeText(head, headRows(0));
      return { lines: [], end: firstLine };
    }
    const { lines, end } = await readLines();
    return { lines, end: lines.length === 0 ? firstLine : end };
  }

  async function setState(state: LedgerState): Promise<void> {
    if (!(await exists())) return;
    await workbook.writeText({ ...head, col: 2, rows: 1, cols: 1 }, [[state]]);
  }

  async function drop(lines: readonly LedgerLine[]): Promise<void> {
    const cells = lines.flatMap(({ rows }) => rows.map((row) => ({ sheet: ledgerSheet, row, col: 0 })));
    for (const { row, rows } of mergeCells(cells)) {
      const blank = Array.from({ length: rows }, () => Array<CellValue>(width).fill(null));
      await workbook.writeText({ sheet: ledgerSheet, row, col: 0, rows, cols: width }, blank);
    }
  }

  return {
    async read() {
      if (!(await exists())) return null;
      const state = await readState();
      if (state === null) return null;
      return { state, lines: (await readLines()).lines };
    },

    async append(entries, state) {
      const { lines, end: from } = await prepare();
      if (from + entries.length > firstLine + mostLines) throw full();
      const rows = entries.map(toRow);
      const end = from + rows.length;
      // The end goes first: a line behind it would not be read, a blank one before it costs nothing.
      await workbook.writeText({ ...head, col: 2, rows: 1, cols: 3 }, [[state, explanation, end]]);
      const blocks = parts(rows).map((block, index) => ({
        area: {
          sheet: ledgerSheet,
          row: from + index * linesAtOnce,
          col: 0,
          rows: block.length,
          cols: width,
        },
        block,
      }));
      for (const { area, block } of blocks) await workbook.writeText(area, block);
      for (const { area, block } of blocks) {
        if (!isSame(await workbook.read(area, "values"), block)) throw notKept();
      }
      const renewed = new Set(entries.map(({ ref }) => cellKey(ref)));
      await drop(lines.filter(({ entry }) => renewed.has(cellKey(entry.ref))));
    },

    drop,

    setState,
  };
}

function parts<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / linesAtOnce) }, (_, index) =>
    rows.slice(index * linesAtOnce, (index + 1) * linesAtOnce),
  );
}

function isSame(
  found: readonly (readonly CellValue[])[],
  wanted: readonly (readonly CellValue[])[],
): boolean {
  return wanted.every((row, r) =>
    row.every((value, c) => String(found[r]?.[c] ?? "") === String(value ?? "")),
  );
}

function notKept(): InvError {
  return new InvError(
    "internal",
    "The workbook did not keep the formulas INV wrote down, so no cell was changed. Is the workbook read-only? Save a copy and try again.",
  );
}

function full(): InvError {
  return new InvError(
    "internal",
    `This workbook's ledger is full (${mostLines} formulas). Thaw or delete frozen sheets first.`,
  );
}

function notOurs(): InvError {
  return new InvError(
    "internal",
    `The workbook has a sheet "${ledgerSheet}" that is not INV's. Rename that sheet, then try again.`,
  );
}

function newer(): InvError {
  return new InvError(
    "internal",
    "These formulas were frozen by a newer INV than this one. Reload INV, or ask your administrator for the new version.",
  );
}
