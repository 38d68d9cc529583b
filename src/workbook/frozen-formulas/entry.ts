/**
 * One row of the ledger: a cell's formula, and how to recognize the cell again. Every field is text or a number that a
 * person can read. Formulas are written without their `=`, so that every host keeps them as text.
 */
import { sheetRows } from "../../formula/columns";
import { areaAddress, parseCellAddress } from "../addresses";
import type { CellRef, CellValue } from "../port";

export interface LedgerEntry {
  /** Where the cell was, by the sheet's name at that time. */
  readonly ref: CellRef;
  readonly sheetId: string;
  /** With its `=`. */
  readonly formula: string;
  readonly r1c1: string;
  /** The area that the formula filled. */
  readonly rows: number;
  readonly cols: number;
  /** Of the values that the freeze left in the area. */
  readonly digest: string;
  /** The first cell's value, for people. */
  readonly shown: string;
  /** For people: the first arguments of the formula. */
  readonly store: string;
  readonly item: string;
  /** When its value was fetched, ISO 8601 UTC; empty if unknown. */
  readonly asOf: string;
  readonly environmentId: string;
  /** The hidden name of its block, or in earlier ledgers of its cell; empty if it has none. */
  readonly anchor: string;
  /** The area of the block when it was frozen, without its sheet; empty in ledgers that named single cells. */
  readonly block: string;
  /** Digest of all cells that the formula refers to. */
  readonly refersTo: string;
  /** ISO 8601 UTC. Of two entries for one cell the later one counts. */
  readonly writtenAt: string;
  /** The number format that the freeze gave to cells of format General, because their values brought it; else empty. */
  readonly numberFormat: string;
  /** Digest of the top of its column, for a cell that is found by its address only. */
  readonly head: string;
}

/** The fields of a row, as the sheet has them from left to right. */
const columns = [
  ["Sheet id", "sheetId"],
  ["Sheet", "sheet"],
  ["Cell", "cell"],
  ["Formula", "formula"],
  ["Formula in R1C1", "r1c1"],
  ["Rows", "rows"],
  ["Columns", "cols"],
  ["Value", "shown"],
  ["Check", "digest"],
  ["Store", "store"],
  ["Item", "item"],
  ["As of (UTC)", "asOf"],
  ["Environment", "environmentId"],
  ["Name", "anchor"],
  ["References", "refersTo"],
  ["Written (UTC)", "writtenAt"],
  ["Number format", "numberFormat"],
  ["Column head", "head"],
  ["Block", "block"],
] as const;

export const headings: readonly string[] = columns.map(([heading]) => heading);

type Fields<T> = Record<(typeof columns)[number][1], T>;

const longestShown = 60;

export function toRow({ ref, formula, r1c1, shown, ...same }: LedgerEntry): CellValue[] {
  const fields: Fields<CellValue> = {
    ...same,
    sheet: ref.sheet,
    cell: areaAddress({ ...ref, rows: 1, cols: 1 }),
    formula: formula.slice(1),
    r1c1: r1c1.slice(1),
    shown: shown.slice(0, longestShown),
  };
  return columns.map(([, field]) => fields[field]);
}

/** Null for a blank row, and for a row that isn't an entry, because somebody wrote into the sheet. */
export function fromRow(row: readonly CellValue[]): LedgerEntry | null {
  const texts = columns.map(([, field], col) => [field, String(row[col] ?? "")]);
  const { sheet, cell, formula, r1c1, ...same } = Object.fromEntries(texts) as Fields<string>;
  const ref = parseCellAddress(`'${sheet.replaceAll("'", "''")}'!${cell}`);
  const [rows, cols] = [Number(same.rows), Number(same.cols)];
  if (ref === null || formula === "" || !isSize(rows) || !isSize(cols)) return null;
  return { ...same, ref: { ...ref, sheet }, formula: `=${formula}`, r1c1: `=${r1c1}`, rows, cols };
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= sheetRows;
}
