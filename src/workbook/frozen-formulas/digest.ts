/**
 * A short text for a block of cells, the same for blocks with the same contents. It distinguishes kinds (1 from "1", an error
 * from a text). An empty cell and an empty text are the same, as in Excel, and numbers count to Excel's 15 digits.
 */
import { isError } from "../cell-content";
import type { CellContent } from "../port";

type Cells = readonly (readonly CellContent[])[];

/** The version of the digest, which saved workbooks contain. */
const mark = "2.";

/** 53-bit hash (two rounds of FNV-1a with different seeds), in base 36; against accidents, not attackers. */
export function digest(cells: Cells): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  const text = cells.map((row) => row.map(spelling).join("\u0001")).join("\u0002");
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + 0x51), 0x01000193);
  }
  return mark + ((a >>> 0) * 0x20_0000 + ((b >>> 0) & 0x1f_ffff)).toString(36);
}

function spelling(content: CellContent): string {
  if (isError(content)) return `e${content.error}`;
  if (typeof content === "number") return `n${Number(content.toPrecision(15))}`;
  return content === null || content === "" ? "" : `${(typeof content)[0] ?? ""}${String(content)}`;
}
