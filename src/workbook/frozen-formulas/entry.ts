/**
 * One row of the ledger: a cell's formula, and how to recognize the cell again. Every field is a text or a number that people
 * can read. Formulas have no `=`, so that every host keeps them as text.
 */
import { sheetRows } from "../../formula/columns";
import { areaAddress, parseCellAddress } from "../addresses";
import type { CellRef, CellValue } from "../port";

export interface LedgerEntry {
  /** The cell at the time of the freeze, with the sheet's name at that time. */
  readonly ref: CellRef;
  readonly sheetId: string;
  /** Includes the `=`. */
  readonly formula: string;
  readonly r1c1: string;
  readonly rows: number;
  readonly cols: number;
  readonly digest: string;
  /** The first cell's value, for people to read. */
  readonly shown: string;
  /** The first arguments of the formula, for people to read. */
  readonly store: string;
  readonly item: string;
  /** When the value was fetched, ISO 8601 UTC; empty if unknown. */
  readonly asOf: string;
  readonly environmentId: string;
  /** The hidden name of the block; in earlier ledgers, of the cell. Empty if there is no name. */
  readonly anchor: string;
  /** The area of the block at the time of the freeze, without its sheet. Empty in ledgers that named single cells. */
  readonly block: string;
  readonly refersTo: string;
  /** ISO 8601 UTC. If a cell has two entries, the later one counts. */
  readonly writtenAt: string;
  /** The number format that the freeze gave to cells of format General, because their values brought it; otherwise empty. */
  readonly numberFormat: string;
  /** Digest of the top of the column, for a cell that INV can find only by its address. */
  readonly head: string;
}

/** The fields of a row, in the order of the sheet's columns. */
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

/** Parses a row. Returns null for a blank row, and for a row that isn't an entry because somebody wrote into the sheet. */
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
