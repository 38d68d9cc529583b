/**
 * Reads the list of stores and items on a sheet, for a formula beside it: its columns with their headings, the columns of
 * stores and items, and its last row. Reads the first rows completely, and only two columns to the end.
 */
import { itemTypeOf } from "../../domain/validator/validate";
import { findColumns } from "../../domain/validator/find-columns";
import type { ItemType } from "../../domain/records";
import { isBlank } from "../cell-content";
import type { CellValue, Workbook } from "../port";

export interface InsertList {
  readonly sheet: string;
  readonly firstRow: number;
  readonly rows: number;
  /** Columns that aren't empty. The heading may be "". */
  readonly columns: readonly { readonly col: number; readonly heading: string }[];
  /** Null if no column seems to contain stores. */
  readonly storeCol: number | null;
  readonly itemCol: number | null;
  readonly itemType: ItemType;
}

/** The same limit as for templates. */
export const mostRows = 20_000;
const headRows = 310;
const mostCols = 60;

/** Returns null for an empty sheet. */
export async function readInsertList(workbook: Workbook, sheet: string): Promise<InsertList | null> {
  const used = await workbook.usedArea(sheet);
  if (used === null) return null;
  const cols = Math.min(used.cols, mostCols);
  const head = await workbook.read({ ...used, rows: Math.min(used.rows, headRows), cols }, "values");
  const { store, item, firstRow } = findColumns(head);
  const columns = Array.from({ length: cols }, (_, col) => ({
    col,
    heading: headingOf(head, col, firstRow),
  })).filter(({ col }) => head.slice(firstRow).some((row) => !isBlank(row[col])));
  const listColumns = [store, item].filter((col) => col !== null);
  let lastRow = firstRow - 1;
  for (const col of listColumns) {
    lastRow = Math.max(lastRow, await lastFilled(workbook, { sheet, col, rows: used.rows }));
  }
  return {
    sheet,
    firstRow,
    rows: lastRow - firstRow + 1,
    columns,
    storeCol: store,
    itemCol: item,
    itemType: itemTypeOf(head.slice(firstRow).map((row) => row[item ?? -1] ?? null)),
  };
}

async function lastFilled(
  workbook: Workbook,
  { sheet, col, rows }: { sheet: string; col: number; rows: number },
): Promise<number> {
  const cells = await workbook.read(
    { sheet, row: 0, col, rows: Math.min(rows, mostRows + headRows), cols: 1 },
    "values",
  );
  return cells.findLastIndex(([cell]) => !isBlank(cell));
}

function headingOf(head: readonly (readonly CellValue[])[], col: number, firstRow: number): string {
  const words = head.slice(0, firstRow).map((row) => row[col]);
  return String(words.findLast((word) => !isBlank(word)) ?? "");
}
