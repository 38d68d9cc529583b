/** A cell in words, with its sheet where the one that is spoken of is on another. */
import { areaAddress, parseCellAddress } from "../../workbook/addresses";
import type { CellRef } from "../../workbook/port";

export function placeWords(cell: CellRef, from: string | null): string {
  const address = areaAddress({ ...cell, rows: 1, cols: 1 });
  const isBeside = from === null || parseCellAddress(from)?.sheet === cell.sheet;
  return isBeside ? address : `${address} of "${cell.sheet}"`;
}
