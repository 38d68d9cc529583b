/**
 * Check items: the stores and items of a list, examined before any call. Finds the list around or in the selection,
 * tells the columns, has every row examined, and says which cells to correct. Reads in parts, so that whole columns
 * may be selected; what a formula calculates is reported and never corrected.
 */
import { InvError } from "../../domain/errors";
import { examine } from "../../domain/examiner/examine";
import type { Finding } from "../../domain/examiner/finding";
import { findColumns } from "../../domain/examiner/find-columns";
import type { ItemType } from "../../domain/records";
import type { Correction } from "../corrections";
import type { Area, CellRef, CellValue, SelectedAreas, Workbook } from "../port";

export interface CheckedFinding extends Finding {
  readonly cell: CellRef;
  /** Of a duplicate: the cell it repeats. */
  readonly sameAsCell: CellRef | null;
  /** What to write; empty where it is not known what was meant, or a formula calculates it. */
  readonly corrections: readonly Correction[];
}

export interface CheckedList {
  readonly sheet: string;
  /** Null where the list has no such column. */
  readonly storeCol: number | null;
  readonly itemCol: number | null;
  readonly itemType: ItemType;
  /** Rows with a store or an item. */
  readonly examined: number;
  readonly findings: readonly CheckedFinding[];
}

const rowsPerPart = 2_000;
const mostRows = 200_000;
const mostCols = 60;

/** Rejects with `bad-argument` where neither stores nor items are found. */
export async function checkItems(
  workbook: Workbook,
  [first, ...others]: SelectedAreas,
): Promise<CheckedList> {
  const area = others.reduce(cover, first);
  const isOneCell = area.rows === 1 && area.cols === 1;
  const { sheet } = area;
  const within = isOneCell ? { sheet, row: 0, col: 0, rows: mostRows, cols: mostCols } : area;
  const cols = Math.min(within.cols, mostCols);
  const values = await readFilled(workbook, { ...within, cols });
  const { store, item, firstRow } = findColumns(values);
  if (store === null && item === null) throw nothingFound();
  const top = within.row + firstRow;
  const rows = values.slice(firstRow).map((row) => ({
    store: store === null ? null : (row[store] ?? null),
    item: item === null ? null : (row[item] ?? null),
  }));
  const storeCol = store === null ? null : within.col + store;
  const itemCol = item === null ? null : within.col + item;
  const { itemType, examined, findings } = examine(rows);
  const column = (col: number | null) =>
    col === null || findings.length === 0
      ? Promise.resolve([])
      : workbook.read({ sheet, row: top, col, rows: rows.length, cols: 1 }, "formulas");
  const contents = { store: await column(storeCol), item: await column(itemCol) };

  const cellOf = (row: number, field: Finding["field"]): CellRef => ({
    sheet,
    row: top + row,
    col: (field === "store" ? storeCol : itemCol) ?? 0,
  });
  return {
    sheet,
    storeCol,
    itemCol,
    itemType,
    examined,
    findings: findings.map((finding) => ({
      ...finding,
      cell: cellOf(finding.row, finding.field),
      sameAsCell: finding.sameAs === undefined ? null : cellOf(finding.sameAs, finding.field),
      corrections: correctionsOf(finding, contents, cellOf),
    })),
  };
}

function correctionsOf(
  { row, changes }: Finding,
  contents: Readonly<Record<Finding["field"], readonly (readonly CellValue[])[]>>,
  cellOf: (row: number, field: Finding["field"]) => CellRef,
): readonly Correction[] {
  const corrections = changes.map(({ field, value }) => ({
    cell: cellOf(row, field),
    from: contents[field][row]?.[0] ?? null,
    to: value,
  }));
  const isCalculated = corrections.some(({ from }) => typeof from === "string" && from.startsWith("="));
  return isCalculated ? [] : corrections;
}

function cover(one: Area, other: Area): Area {
  const row = Math.min(one.row, other.row);
  const col = Math.min(one.col, other.col);
  const rows = Math.max(one.row + one.rows, other.row + other.rows) - row;
  const cols = Math.max(one.col + one.cols, other.col + other.cols) - col;
  return { sheet: one.sheet, row, col, rows, cols };
}

/** Up to the first part in which nothing stands. */
async function readFilled(workbook: Workbook, area: Area): Promise<CellValue[][]> {
  const values: CellValue[][] = [];
  const end = area.row + Math.min(area.rows, mostRows);
  for (let row = area.row; row < end; row += rowsPerPart) {
    const part = await workbook.read({ ...area, row, rows: Math.min(rowsPerPart, end - row) }, "values");
    values.push(...part);
    if (part.every((cells) => cells.every((cell) => cell === null || cell === ""))) break;
  }
  while (values.at(-1)?.every((cell) => cell === null || cell === "")) values.pop();
  return values;
}

function nothingFound(): InvError {
  return new InvError(
    "bad-argument",
    "Expected a list of stores or items; none is found here. Select its columns, or one cell of the list, and check again.",
  );
}
