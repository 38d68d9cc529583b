/** Words for what a correction wrote, and where. */
import { areaAddress, parseCellAddress } from "../../workbook/addresses";
import type { CellRef } from "../../workbook/port";
import { counted } from "../parts/words";

export function correctedWords({
  cells,
  skipped,
}: {
  readonly cells: number;
  readonly skipped: number;
}): string {
  const rest = skipped === 0 ? "" : ` INV skipped ${counted(skipped, "cell")} that changed meanwhile.`;
  return cells === 0
    ? "INV wrote nothing, because the cells have changed."
    : `${counted(cells, "cell")} corrected. Press Ctrl+Z once to undo.${rest}`;
}

/** Returns the cell's address, with its sheet if `from` is on another. */
export function placeWords(cell: CellRef, from: string | null): string {
  const address = areaAddress({ ...cell, rows: 1, cols: 1 });
  const isBeside = from === null || parseCellAddress(from)?.sheet === cell.sheet;
  return isBeside ? address : `${address} of "${cell.sheet}"`;
}
