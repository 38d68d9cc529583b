/**
 * A column with a name over it in the grid. The place is found and the name given in one turn, so nothing can come
 * between; a name that the grid refuses leaves no cell written.
 */
import type { FWorkbook, FWorksheet } from "@univerjs/preset-sheets-core";
import { listPlace } from "../../workbook/lists/list-formula";
import type { CellRef, NamedColumn } from "../../workbook/port";
import type { Grid } from "./create-grid";
import { dataOf, fillCells, type FillHost } from "./fill-cells";
import { applyFormat, namesIn } from "./formatting";

interface ColumnHost extends FillHost {
  readonly grid: Grid;
  readonly book: FWorkbook;
  sheetOf(ref: CellRef): FWorksheet;
}

export async function addNamedColumn(
  host: ColumnHost,
  { name, cells, headingFormat, entryFormat, roomToGrow, formulaFor }: NamedColumn,
  heading: CellRef,
): Promise<CellRef> {
  forgetOrphan(host.book, name);
  host.book.insertDefinedName(name, formulaFor(heading));
  const area = { ...heading, rows: cells.length, cols: 1 };
  const entries = { ...area, row: 1, rows: cells.length - 1 + roomToGrow };
  host.rangeOf(entries);
  const target = { grid: host.grid, sheet: host.sheetOf(heading) };
  applyFormat(target, { ...area, rows: 1 }, headingFormat);
  applyFormat(target, entries, entryFormat);
  const column = cells.map((cell) => [cell]);
  await fillCells(host, area, dataOf(column, "text"));
  return heading;
}

/** The undo that takes a sheet away leaves the names of its lists. */
function forgetOrphan(book: FWorkbook, name: string): void {
  for (const known of namesIn(book)) {
    const place = known.name.toLowerCase() === name.toLowerCase() ? listPlace(known.formula) : null;
    if (place !== null && book.getSheetByName(place.heading.sheet) === null) {
      book.deleteDefinedName(known.name);
    }
  }
}
