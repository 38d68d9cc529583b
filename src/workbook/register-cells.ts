/** Finds cells in the register, by cell or by area, and turns addresses into areas. */
import type { CellRegister, InvCell } from "../cells/cell-register";
import { cellAddresses, cellsOf, contains, parseCellAddress } from "./addresses";
import { mergeCells } from "./cell-areas";
import type { Area, CellRef } from "./port";

/** Returns the cell's register entry. The register uses either of the two notations of an address. */
export function invCellAt(cells: Pick<CellRegister, "get">, ref: CellRef): InvCell | undefined {
  const [bare, quoted] = cellAddresses(ref);
  return cells.get(bare) ?? cells.get(quoted);
}

/** Returns the registered addresses in these areas; all of them if the areas are null. */
export function* addressesIn(cells: CellRegister, areas: readonly Area[] | null): Iterable<string> {
  if (areas === null) {
    for (const { address } of cells.all()) yield address;
    return;
  }
  const registered = cells.size();
  for (const area of areas) {
    yield* area.rows * area.cols > registered ? scan(cells, area) : lookUp(cells, area);
  }
}

function* scan(cells: CellRegister, area: Area): Iterable<string> {
  const starts = cellAddresses({ ...area, row: 0, col: 0 }).map((first) => first.slice(0, -"A1".length));
  for (const { address } of cells.all()) {
    // Skip other sheets before reading the address.
    if (!starts.some((start) => address.startsWith(start))) continue;
    const ref = parseCellAddress(address);
    if (ref !== null && contains(area, ref)) yield address;
  }
}

function* lookUp(cells: CellRegister, area: Area): Iterable<string> {
  for (const ref of cellsOf(area)) {
    for (const address of cellAddresses(ref)) if (cells.get(address) !== undefined) yield address;
  }
}

export function areasOf(addresses: Iterable<string>): Area[] {
  return mergeCells([...addresses].map(parseCellAddress).filter((ref) => ref !== null));
}
