/**
 * Check items: validates the stores and items of a list before any call. Finds the list in or around the selection and its
 * columns, validates every row, and returns the cells to correct. Reads in parts, so that people can select whole columns.
 * Values of formulas are reported, never corrected.
 */
import { InvError } from "../../domain/errors";
import { validate } from "../../domain/validator/validate";
import type { Finding } from "../../domain/validator/finding";
import { findColumns } from "../../domain/validator/find-columns";
import { findItemRow } from "../../domain/validator/find-item-row";
import type { ItemType } from "../../domain/records";
import { bounds } from "../cell-areas";
import { isBlank } from "../cell-content";
import type { Correction } from "../corrections";
import type { Area, CellRef, CellValue, SelectedAreas, Workbook } from "../port";
import { readFilled } from "../selected-areas";

export interface CheckedFinding extends Finding {
  readonly cell: CellRef;
  /** For a duplicate, the cell that it repeats. */
  readonly sameAsCell: CellRef | null;
  /** Empty if INV doesn't know what was meant, or if a formula calculates the cell. */
  readonly corrections: readonly Correction[];
}

export interface CheckedList {
  readonly sheet: string;
  /** Null if the list has no such column. */
  readonly storeCol: number | null;
  readonly itemCol: number | null;
  /** The row above a grid that contains its items. */
  readonly itemRow: number | null;
  readonly itemType: ItemType;
  /** Rows with a store or an item; for a grid, its stores and items. */
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
  const { itemType, validated, findings } = validate(rows);
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
  const list = {
    sheet,
    storeCol,
    itemCol,
    itemRow: null,
    itemType,
    validated,
    findings: findings.map((finding) => checked(finding, contents, cellOf)),
  };
  if (across === null) return list;
  const topRow = await checkAcross(
    workbook,
    { ...within, row: within.row + across.row, rows: 1, cols },
    across.cols,
  );
  const { itemType: acrossType, validated: items, findings: ofItems } = topRow;
  return {
    ...list,
    itemRow: within.row + across.row,
    itemType: acrossType,
    validated: validated + items,
    findings: [...list.findings, ...ofItems],
  };
}

/** Checks the items above a grid. */
async function checkAcross(
  workbook: Workbook,
  area: Area,
  cols: readonly number[],
): Promise<Pick<CheckedList, "itemType" | "validated" | "findings">> {
  const [values = []] = await workbook.read(area, "values");
  const [formulas = []] = await workbook.read(area, "formulas");
  const { itemType, validated, findings } = validate(
    cols.map((col) => ({ store: null, item: values[col] ?? null })),
  );
  const contents = { store: [], item: cols.map((col) => [formulas[col] ?? null]) };
  const cellOf = (at: number): CellRef => ({
    sheet: area.sheet,
    row: area.row,
    col: area.col + (cols[at] ?? 0),
  });
  return {
    itemType,
    validated,
    findings: findings.map((finding) => ({
      ...checked(finding, contents, cellOf),
      ...(finding.fault === "duplicate" && { advice: "The same item is in an earlier column." }),
    })),
  };
}

type Contents = Readonly<Record<Finding["field"], readonly (readonly CellValue[])[]>>;
type CellOf = (row: number, field: Finding["field"]) => CellRef;

function checked(finding: Finding, contents: Contents, cellOf: CellOf): CheckedFinding {
  return {
    ...finding,
    cell: cellOf(finding.row, finding.field),
    sameAsCell: finding.sameAs === undefined ? null : cellOf(finding.sameAs, finding.field),
    corrections: correctionsOf(finding, contents, cellOf),
  };
}

function correctionsOf({ row, changes }: Finding, contents: Contents, cellOf: CellOf): readonly Correction[] {
  const corrections = changes.map(({ field, value }) => ({
    cell: cellOf(row, field),
    from: contents[field][row]?.[0] ?? null,
    to: value,
  }));
  const isCalculated = corrections.some(({ from }) => typeof from === "string" && from.startsWith("="));
  return isCalculated ? [] : corrections;
}

function nothingFound(): InvError {
  return new InvError(
    "bad-argument",
    "No list of stores or items found here. Select its columns, or one cell of the list, then check again.",
  );
}
