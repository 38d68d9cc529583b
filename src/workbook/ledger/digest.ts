/**
 * A short text for a block of values: two blocks that show the same have the same one. Values are told
 * apart by kind (1 is not "1"); an empty cell and an empty text are the same, as in Excel.
 */
import type { CellValue } from "../port";

/** 53-bit hash (two rounds of FNV-1a with different seeds), in base 36; against accidents, not attackers. */
export function digest(cells: readonly (readonly CellValue[])[]): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  const text = cells.map((row) => row.map(spelling).join("\u0001")).join("\u0002");
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + 0x51), 0x01000193);
  }
  return ((a >>> 0) * 0x20_0000 + ((b >>> 0) & 0x1f_ffff)).toString(36);
}

function spelling(value: CellValue): string {
  return value === null || value === "" ? "" : `${(typeof value)[0] ?? ""}${String(value)}`;
}
