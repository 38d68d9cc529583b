/**
 * One line of the ledger: what a cell's formula was, and by what to recognise the cell again. As a row of
 * the sheet every field is text or a number a person can read; formulas stand without their `=`, so that
 * they are text in every host.
 */
import { sheetRows } from "../../formula/columns";
import { areaAddress, parseCellAddress } from "../addresses";
import type { CellRef, CellValue } from "../port";

export interface LedgerEntry {
  /** Where the cell stood, by the sheet's name at that time. */
  readonly ref: CellRef;
  readonly sheetId: string;
  /** With its `=`. */
  readonly formula: string;
  readonly r1c1: string;
  /** The area the formula filled. */
  readonly rows: number;
  readonly cols: number;
  /** What was left in the area. */
  readonly digest: string;
  /** The first cell's, for people. */
  readonly shown: string;
  /** What the formula asked for, as far as it can be told. */
  readonly store: string;
  readonly item: string;
  /** When its value was fetched, ISO 8601 UTC; empty where not known. */
  readonly asOf: string;
  readonly environmentId: string;
  /** The hidden name of its block, or in earlier ledgers of its cell; empty where it has none. */
  readonly anchor: string;
  /** The area of the block when it was frozen, without its sheet; empty in ledgers that named single cells. */
  readonly block: string;
  /** Digest of all cells that the formula refers to. */
  readonly refersTo: string;
  /** ISO 8601 UTC; of two entries for one cell the later one holds. */
  readonly writtenAt: string;
  /** The number format that cells of format General were given, because their values brought it; else empty. */
  readonly numberFormat: string;
  /** Digest of what stands at the top of its column, for a cell that is found by its address alone. */
  readonly head: string;
}

export const headings = [
  "Sheet id",
  "Sheet",
  "Cell",
  "Formula",
  "Formula in R1C1",
  "Rows",
  "Columns",
  "Value",
  "Check",
  "Store",
  "Item",
  "As of (UTC)",
  "Environment",
  "Name",
  "References",
  "Written (UTC)",
  "Number format",
  "Column head",
  "Block",
] as const;

const longestShown = 60;

export function toRow(entry: LedgerEntry): CellValue[] {
  const { ref, sheetId, formula, r1c1, rows, cols } = entry;
  return [
    sheetId,
    ref.sheet,
    areaAddress({ ...ref, rows: 1, cols: 1 }),
    formula.slice(1),
    r1c1.slice(1),
    rows,
    cols,
    entry.shown.slice(0, longestShown),
    entry.digest,
    entry.store,
    entry.item,
    entry.asOf,
    entry.environmentId,
    entry.anchor,
    entry.refersTo,
    entry.writtenAt,
    entry.numberFormat,
    entry.head,
    entry.block,
  ];
}

/** Null for a blank row and for one that is no entry (somebody wrote into the sheet). */
export function fromRow(row: readonly CellValue[]): LedgerEntry | null {
  const text = row.map((value) => (value === null ? "" : String(value)));
  const [sheetId = "", sheet = "", cell = "", formula = "", r1c1 = ""] = text;
  const ref = parseCellAddress(`'${sheet.replaceAll("'", "''")}'!${cell}`);
  const [rows, cols] = [Number(text[5]), Number(text[6])];
  if (ref === null || formula === "" || !isSize(rows) || !isSize(cols)) return null;
  const [shown = "", digest = "", store = "", item = "", asOf = "", environmentId = ""] = text.slice(7);
  const [anchor = "", refersTo = "", writtenAt = "", numberFormat = "", head = "", block = ""] =
    text.slice(13);
  return {
    ref: { ...ref, sheet },
    sheetId,
    formula: `=${formula}`,
    r1c1: `=${r1c1}`,
    rows,
    cols,
    digest,
    shown,
    store,
    item,
    asOf,
    environmentId,
    anchor,
    refersTo,
    writtenAt,
    numberFormat,
    head,
    block,
  };
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= sheetRows;
}
