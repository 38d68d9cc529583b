/**
 * A short text for a block of cells; blocks with the same contents have the same text. It distinguishes kinds (1 from "1", an
 * error from a text). As in Excel, an empty cell equals an empty text, and numbers are compared to 15 digits.
 */
import { isError } from "../cell-content";
import type { CellContent } from "../port";

type Cells = readonly (readonly CellContent[])[];

/** Version of the digest, because saved workbooks contain digests. */
const mark = "2.";

/**
 * Returns a 53-bit hash (two rounds of FNV-1a with different seeds) in base 36. It protects against accidents, not attackers.
 */
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
