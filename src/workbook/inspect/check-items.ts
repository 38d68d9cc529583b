/**
 * Check items: validates the stores and items of a list before any request. Finds the list in or around the selection and its
 * columns, validates every row, and returns the cells to correct. Reads in parts, so that people can select whole columns.
 * Values of formulas are reported, never corrected.
 */
import { InvError } from "../../domain/errors";
import { faultTitles, type Finding, validate } from "../../domain/validator/validate";
import { findColumns } from "../../domain/validator/find-columns";
import type { ItemType } from "../../domain/records";
import { areaAddress, cellKey, functionAddress } from "../addresses";
import { buildSheet } from "../build-sheet";
import { bounds, visitCells } from "../cell-areas";
import { isBlank } from "../cell-content";
import type { Correction } from "../corrections";
import type { Area, CellRef, CellValue, SelectedAreas, Workbook } from "../port";
import { readFilled } from "../selected-areas";

export interface CheckedFinding extends Finding {
  readonly cell: CellRef;
  /** Null if INV doesn't know what was meant, if a formula calculates the cell, or if the cell moved during the check. */
  readonly correction: Correction | null;
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
  const formulas = new Map<string, CellValue>();
  for (const col of findings.length === 0 ? [] : [storeCol, itemCol]) {
    const column: Area | null = col === null ? null : { sheet, row: top, col, rows: rows.length, cols: 1 };
    if (column === null) continue;
    visitCells(column, await workbook.read(column, "formulas"), (content, ref) => {
      formulas.set(cellKey(ref), content);
    });
  }
  const withCells = findings.map((finding) => {
    const { row, field, received, meant } = finding;
    const cell = { sheet, row: top + row, col: (field === "store" ? storeCol : itemCol) ?? 0 };
    // Otherwise a formula calculates the value, or somebody has moved the cell since INV read it.
    const isTyped = formulas.get(cellKey(cell)) === received;
    return {
      ...finding,
      cell,
      correction: meant !== null && isTyped ? { cell, from: received, to: meant } : null,
    };
  });
  return { sheet, storeCol, itemCol, itemType, validated, findings: withCells };
}

/** Writes the findings to a new sheet, for the person who keeps the list of items. Resolves with the sheet's name. */
export function writeFindings(workbook: Workbook, { sheet, findings }: CheckedList): Promise<string> {
  return buildSheet(workbook, {
    ...{ name: `Check ${sheet}`, frozenRows: 1, widthsPx: [130, 140, 140, 230, 420] },
    header: ["Cell", "Found", "Probably meant", "Reason", "What to do"],
    rows: findings.map(({ cell, received, meant, fault, advice }) => [
      functionAddress(sheet, areaAddress({ ...cell, rows: 1, cols: 1 })),
      received,
      meant,
      faultTitles[fault],
      advice,
    ]),
  });
}
