/**
 * Adds a column with a defined name to the grid. It finds the place and adds the name in one turn, so nothing can
 * come in between. If the grid refuses the name, no cell is written.
 */
import type { FWorkbook, FWorksheet } from "@univerjs/preset-sheets-core";
import { listPlace } from "../../workbook/lists/list-formula";
import type { CellRef, NamedColumn } from "../../workbook/port";
import type { Grid } from "./create-grid";
import { dataOf, fillCells, type FillHost } from "./fill-cells";
import { namesIn } from "./defined-names";
import { applyFormat } from "./styles/cell-formats";

interface ColumnHost extends FillHost {
  readonly grid: Grid;
  readonly book: FWorkbook;
  sheetOf(ref: CellRef): FWorksheet;
}

export async function addNamedColumn(
  host: ColumnHost,
  { name, cells, beside, headingFormat, entryFormat, roomToGrow, formulaFor }: NamedColumn,
  heading: CellRef,
): Promise<CellRef> {
  forgetOrphan(host.book, name);
  host.book.insertDefinedName(name, formulaFor(heading));
  const area = { ...heading, rows: cells.length, cols: beside.length > 0 ? 2 : 1 };
  const entries = { ...area, row: 1, rows: cells.length - 1 + roomToGrow, cols: 1 };
  host.rangeOf(entries);
  const target = { grid: host.grid, sheet: host.sheetOf(heading) };
  applyFormat(target, { ...area, rows: 1 }, headingFormat);
  applyFormat(target, entries, entryFormat);
  const rows = cells.map((cell, row) => [cell, ...beside.slice(row, row + 1)]);
  await fillCells(host, area, dataOf(rows, "text"));
  return heading;
}

/** If undo removes a sheet, the names of its lists remain. */
function forgetOrphan(book: FWorkbook, name: string): void {
  for (const existing of namesIn(book)) {
    const place = existing.name.toLowerCase() === name.toLowerCase() ? listPlace(existing.formula) : null;
    if (place !== null && book.getSheetByName(place.heading.sheet) === null) {
      book.deleteDefinedName(existing.name);
    }
  }
}
