/**
 * Where a formula goes: the selected cells, or from a single selected cell down to the end of the list beside it.
 * Pure.
 */
import type { Area, SelectedAreas } from "../port";
import { type InsertList, mostRows } from "./list";

export interface InsertTarget {
  readonly area: Area;
  /** From a single selected cell, how many rows it would be filled down; 1 where there is nothing to fill. */
  readonly fillRows: number;
}

export interface TargetChoice {
  readonly selection: SelectedAreas;
  readonly list: InsertList | null;
  /** One value for each row; a table takes the first cell alone. */
  readonly isPerRow: boolean;
  readonly fillDown: boolean;
}

/** A sentence where the selection cannot take a formula. */
export function targetOf({ selection, list, isPerRow, fillDown }: TargetChoice): InsertTarget | string {
  const [area, ...others] = selection;
  if (!isPerRow) return { area: { ...area, rows: 1, cols: 1 }, fillRows: 1 };
  if (others.length > 0 || area.cols > 1) {
    return "The formula goes into one column: select one cell of it, or cells below each other.";
  }
  const end = list === null ? 0 : list.firstRow + list.rows;
  const selectedEnd = area.row + area.rows;
  // A heading is no place for a formula; below it the list begins.
  const row = list !== null && end > list.firstRow ? Math.max(area.row, list.firstRow) : area.row;
  if (area.rows === 1 || selectedEnd <= row) {
    const fillRows = Math.max(1, Math.min(end - row, mostRows));
    return { area: { ...area, row, rows: fillDown ? fillRows : 1 }, fillRows };
  }
  // A whole column means its part beside the list.
  const rows = (selectedEnd - row > mostRows && end > row ? end : selectedEnd) - row;
  if (rows > mostRows) return `Expected at most ${mostRows} rows, ${rows} are selected: select fewer.`;
  return { area: { ...area, row, rows }, fillRows: 1 };
}
