/**
 * Check items: validates the stores and items of a list before any request. Finds the list in or around the selection and its
 * columns, validates every row, and returns the cells to correct. Reads in parts, so that people can select whole columns.
 * Values of formulas are reported, never corrected.
 */
import { InvError } from "../../domain/errors";
import { type StoreAndItem, validate } from "../../domain/validator/validate";
import type { Finding } from "../../domain/validator/finding";
import { findColumns } from "../../domain/validator/find-columns";
import { findItemRow } from "../../domain/validator/find-item-row";
import type { ItemType } from "../../domain/records";
import { cellKey } from "../addresses";
import { bounds, visitCells } from "../cell-areas";
import { isBlank } from "../cell-content";
import type { Correction } from "../corrections";
import type { Area, CellRef, CellValue, SelectedAreas, Workbook } from "../port";
import { readFilled } from "../selected-areas";

export interface CheckedFinding extends Finding {
  readonly cell: CellRef;
  /** For a duplicate, the cell that it repeats; otherwise null. */
  readonly sameAsCell: CellRef | null;
  /** Empty if INV doesn't know what was meant, if a formula calculates the cell, or if the cell moved during the check. */
  readonly corrections: readonly Correction[];
}

export interface CheckedList {
  readonly sheet: string;
  /** Null if the list has no store column. */
  readonly storeCol: number | null;
  readonly itemCol: number | null;
  /** For a grid, the row above it that contains its items. */
  readonly itemRow: number | null;
  readonly itemType: ItemType;
  /** Number of rows with a store or an item; for a grid, of its stores and items. */
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
  const found = findColumns(values);
  if (found.store === null && found.item === null) throw nothingFound();
  const across = found.store === null ? null : findItemRow(values, found.store);
  const { store } = found;
  const item = across === null ? found.item : null;
  const firstRow = across === null ? found.firstRow : across.row + 1;
  const top = within.row + firstRow;
  const rows = values.slice(firstRow).map((row) => ({
    store: store === null ? null : (row[store] ?? null),
    item: item === null ? null : (row[item] ?? null),
  }));
  const storeCol = store === null ? null : within.col + store;
  const itemCol = item === null ? null : within.col + item;
  const columns = [storeCol, itemCol].filter((col) => col !== null);
  const below = await checkCells(workbook, rows, {
    cellOf: (row, field) => ({
      sheet,
      row: top + row,
      col: (field === "store" ? storeCol : itemCol) ?? 0,
    }),
    areas: columns.map((col) => ({ sheet, row: top, col, rows: rows.length, cols: 1 })),
  });
  if (across === null) return { sheet, storeCol, itemCol, itemRow: null, ...below };

  const itemRow = within.row + across.row;
  const line = values[across.row] ?? [];
  const above = await checkCells(
    workbook,
    across.cols.map((col) => ({ store: null, item: line[col] ?? null })),
    {
      cellOf: (at) => ({ sheet, row: itemRow, col: within.col + (across.cols[at] ?? 0) }),
      areas: [{ ...within, row: itemRow, rows: 1, cols }],
    },
  );
  const findings = above.findings.map((finding) =>
    finding.fault === "duplicate"
      ? { ...finding, advice: "The same item is in an earlier column." }
      : finding,
  );
  return {
    sheet,
    storeCol,
    itemCol,
    itemRow,
    itemType: above.itemType,
    validated: below.validated + above.validated,
    findings: [...below.findings, ...findings],
  };
}

interface CheckedCells {
  readonly cellOf: (row: number, field: Finding["field"]) => CellRef;
  readonly areas: readonly Area[];
}

async function checkCells(
  workbook: Workbook,
  rows: readonly StoreAndItem[],
  { cellOf, areas }: CheckedCells,
): Promise<Pick<CheckedList, "itemType" | "validated" | "findings">> {
  const { itemType, validated, findings } = validate(rows);
  const formulas = new Map<string, CellValue>();
  for (const area of findings.length === 0 ? [] : areas) {
    visitCells(area, await workbook.read(area, "formulas"), (content, ref) => {
      formulas.set(cellKey(ref), content);
    });
  }
  const correctionsOf = ({ row, changes }: Finding): readonly Correction[] => {
    const corrections = changes.map(({ field, value }) => {
      return { cell: cellOf(row, field), from: rows[row]?.[field] ?? null, to: value };
    });
    // Otherwise a formula calculates the value, or somebody has moved the cell since INV read it.
    const areTyped = corrections.every(({ cell, from }) => formulas.get(cellKey(cell)) === from);
    return areTyped ? corrections : [];
  };
  return {
    itemType,
    validated,
    findings: findings.map((finding) => ({
      ...finding,
      cell: cellOf(finding.row, finding.field),
      sameAsCell: finding.sameAs === undefined ? null : cellOf(finding.sameAs, finding.field),
      corrections: correctionsOf(finding),
    })),
  };
}

function nothingFound(): InvError {
  return new InvError(
    "bad-argument",
    "No list of stores or items found here. Select its columns, or one cell of the list, then check again.",
  );
}
