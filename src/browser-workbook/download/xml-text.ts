/** Text in the XML of an .xlsx file. */

/** Characters that one cell may contain. Excel repairs a file with a longer text, and drops the text. */
const maxCellText = 32_767;

/** What XML can't contain. */
const unwritable =
  // oxlint-disable-next-line no-control-regex -- these are what is meant
  /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/**
 * Encodes characters that XML can't contain as Excel does, `_x0001_`, and a text that already looks like such a code. The limit
 * applies to what Excel reads.
 */
export function cellText(text: string): string {
  const cut = text.slice(0, maxCellText).replace(/[\uD800-\uDBFF]$/, "");
  const encoded = cut
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(unwritable, (mark) => `_x${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`);
  return escaped(encoded);
}

/** Drops characters that XML can't contain. */
export function escaped(text: string): string {
  return text
    .replaceAll(unwritable, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
