/**
 * Check items: validates the stores and items of a list before any request. Finds the list in or around the selection and its
 * columns, and validates every row. Reads in parts, so that people can select whole columns.
 */
import { InvError } from "../../domain/errors";
import { faultTitles, type Finding, validate } from "../../domain/validator/validate";
import { findColumns } from "../../domain/validator/find-columns";
import type { ItemType } from "../../domain/records";
import { areaAddress, functionAddress } from "../addresses";
import { buildSheet } from "../build-sheet";
import { bounds } from "../cell-areas";
import { isBlank } from "../cell-content";
import type { CellRef, SelectedAreas, Workbook } from "../port";
import { readFilled } from "../selected-areas";

export interface CheckedFinding extends Finding {
  readonly cell: CellRef;
}

export interface CheckedList {
  readonly sheet: string;
  /** Null if the list has no store column. */
  readonly storeCol: number | null;
  readonly itemCol: number | null;
  readonly itemType: ItemType;
  /** Number of rows with a store or an item. */
  readonly validated: number;
  readonly findings: readonly CheckedFinding[];
}

const mostRows = 200_000;
const mostCols = 60;

/** Rejects with `bad-argument` if it finds neither stores nor items. */
export async function checkItems(
  workbook: Workbook,
  [first, ...others]: SelectedAreas,
): Promise<CheckedList> {
  const area = others.reduce(bounds, first);
  const isOneCell = area.rows === 1 && area.cols === 1;
  const { sheet } = area;
  const within = isOneCell ? { sheet, row: 0, col: 0, rows: mostRows, cols: mostCols } : area;
  const cols = Math.min(within.cols, mostCols);
  const values = await readFilled(workbook, { ...within, rows: Math.min(within.rows, mostRows), cols });
  while (values.at(-1)?.every(isBlank)) values.pop();
  const { store, item, firstRow } = findColumns(values);
  if (store === null && item === null) {
    throw new InvError(
      "not-possible",
      "No list of stores or items found here. Select its columns, or one cell of the list, then check again.",
    );
  }
  const rows = values.slice(firstRow).map((row) => ({
    store: store === null ? null : (row[store] ?? null),
    item: item === null ? null : (row[item] ?? null),
  }));
  const top = within.row + firstRow;
  const storeCol = store === null ? null : within.col + store;
  const itemCol = item === null ? null : within.col + item;
  const { itemType, validated, findings } = validate(rows);
  const withCells = findings.map((finding) => {
    const col = (finding.field === "store" ? storeCol : itemCol) ?? 0;
    return { ...finding, cell: { sheet, row: top + finding.row, col } };
  });
  return { sheet, storeCol, itemCol, itemType, validated, findings: withCells };
}

/** Writes the findings to a new sheet, for the person who keeps the list of items. Resolves with the sheet's name. */
export function writeFindings(workbook: Workbook, { sheet, findings }: CheckedList): Promise<string> {
  return buildSheet(workbook, {
    ...{ name: `Check ${sheet}`, frozenRows: 1, widthsPx: [130, 140, 230, 420] },
    header: ["Cell", "Found", "Reason", "What to do"],
    rows: findings.map(({ cell, received, fault, advice }) => [
      functionAddress(sheet, areaAddress({ ...cell, rows: 1, cols: 1 })),
      received,
      faultTitles[fault],
      advice,
    ]),
  });
}
