/** The cells that the register knows in some areas of the workbook, and addresses as areas again. */
import type { CellRegister } from "../cells/cell-register";
import { cellAddresses, contains, parseCellAddress } from "./addresses";
import { mergeCells } from "./cell-areas";
import type { Area } from "./port";

/** What the register knows in these areas; everything where it cannot be told which they are. */
export function* knownIn(cells: CellRegister, areas: readonly Area[] | null): Iterable<string> {
  if (areas === null) {
    for (const { address } of cells.all()) yield address;
    return;
  }
  const known = cells.summary().cells;
  for (const area of areas) {
    yield* area.rows * area.cols > known ? knownOf(cells, area) : cellsOf(cells, area);
  }
}

/** By a look at each cell that is known. */
function* knownOf(cells: CellRegister, area: Area): Iterable<string> {
  const starts = cellAddresses({ ...area, row: 0, col: 0 }).map((first) => first.slice(0, -"A1".length));
  for (const { address } of cells.all()) {
    // Most cells of another sheet are not worth the reading of their address.
    if (!starts.some((start) => address.startsWith(start))) continue;
    const ref = parseCellAddress(address);
    if (ref !== null && contains(area, ref)) yield address;
  }
}

/** By a look at each cell of the area. */
function* cellsOf(cells: CellRegister, { sheet, row, col, rows, cols }: Area): Iterable<string> {
  for (let index = 0; index < rows * cols; index++) {
    const ref = { sheet, row: row + Math.floor(index / cols), col: col + (index % cols) };
    for (const address of cellAddresses(ref)) if (cells.get(address) !== undefined) yield address;
  }
}

/** Areas of exactly these cells. */
export function areasOf(addresses: Iterable<string>): Area[] {
  return mergeCells([...addresses].map(parseCellAddress).filter((ref) => ref !== null));
}
