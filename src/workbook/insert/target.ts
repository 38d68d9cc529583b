/** Determines where Insert writes a formula: the selected cells, or from one selected cell to the end of the list beside it. */
import type { Area, SelectedAreas } from "../port";
import { type InsertList, mostRows } from "./list";

export interface InsertTarget {
  readonly area: Area;
  /** Number of rows to fill from one selected cell; 1 without a list beside it. */
  readonly fillRows: number;
}

/** Returns the target, or a sentence if the selection can't take a formula. */
export function targetOf({
  selection,
  list,
  isPerRow,
  fillDown,
}: {
  readonly selection: SelectedAreas;
  readonly list: InsertList | null;
  /** Whether the function returns one value per row. A function that returns a table is written only into the first cell. */
  readonly isPerRow: boolean;
  readonly fillDown: boolean;
}): InsertTarget | string {
  const [area, ...others] = selection;
  if (!isPerRow) return { area: { ...area, rows: 1, cols: 1 }, fillRows: 1 };
  if (others.length > 0 || area.cols > 1) {
    return "A formula goes into one column. Select one cell of it, or cells below each other.";
  }
  const end = list === null ? 0 : list.firstRow + list.rows;
  const selectedEnd = area.row + area.rows;
  // Don't write into the heading.
  const row = list !== null && end > list.firstRow ? Math.max(area.row, list.firstRow) : area.row;
  if (area.rows === 1 || selectedEnd <= row) {
    const fillRows = Math.max(1, Math.min(end - row, mostRows));
    return { area: { ...area, row, rows: fillDown ? fillRows : 1 }, fillRows };
  }
  // If a whole column is selected, use only its part beside the list.
  const rows = (selectedEnd - row > mostRows && end > row ? end : selectedEnd) - row;
  if (rows > mostRows) return `You selected ${rows} rows; a formula fills at most ${mostRows}. Select fewer.`;
  return { area: { ...area, row, rows }, fillRows: 1 };
}
