/**
 * How many bytes a plain value takes in a message: its JSON, as UTF-8. Counted without writing it, since the
 * results of a grid are half a million values.
 */

/** The bytes of the value alone, without a comma behind it. */
export function jsonSize(value: string | number | boolean): number {
  return typeof value === "string" ? sizeOfText(value) : String(value).length;
}

const quotes = 2;

function sizeOfText(text: string): number {
  let bytes = quotes;
  // By code points: a pair of halves is one of them, a half alone is one too.
  for (const sign of text) bytes += sizeOfCode(sign.codePointAt(0) ?? 0);
  return bytes;
}

const quoteCode = 0x22;
const backslashCode = 0x5c;
/** As in \u001f. */
const spelt = 6;

/** Quotes and backslashes get one more before them; control characters and halves alone are spelt out. */
function sizeOfCode(code: number): number {
  if (code < 0x20) return spelt;
  if (code === quoteCode || code === backslashCode) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  return code >= 0xd800 && code <= 0xdfff ? spelt : 3;
}
