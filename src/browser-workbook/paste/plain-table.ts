/**
 * Reads plain text from the clipboard: tabs between cells, line breaks of any system between rows. A cell that begins
 * with a quotation mark runs to the closing one and may contain tabs and line breaks, as in Excel. Blank cells and empty
 * lines keep their place. A line break after the last row adds no row.
 */
import type { LocaleFormat } from "./locale-format";
import { readTypedText, type TypedCell } from "./typed-text";

export interface PastedCell extends TypedCell {
  /** The cell's text as it was copied, for cells that take everything as text. */
  readonly text: string;
  /** The copy contains only what the cell showed (####, 1.23E+13), which doesn't tell the value. */
  readonly isCutOff?: boolean;
}

/** Yields row by row, so that a large copy can be read in slices. */
export function* readPlainTable(text: string, locale: LocaleFormat): Generator<PastedCell[]> {
  for (const row of splitRows(text)) {
    yield row.map((text) => ({
      text,
      ...(isCutOff(text) ? { value: text, isCutOff: true } : readTypedText(text, locale)),
    }));
  }
}

/** Excel copies a number as it shows it: as #### in a narrow column, or as 1E+13 or 1.23E+13 if it is long. */
function isCutOff(text: string): boolean {
  return /^(?:#{2,}|-?\d(?:[.,]\d+)?E\+\d{2,})$/.test(text.trim());
}

/** A cell is quoted only if the closing mark ends it. Otherwise it is the text between separators. */
const cellAt = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/y;

function splitRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    cellAt.lastIndex = at;
    const found = cellAt.exec(text);
    const quoted = found?.[1];
    const content = found?.[0] ?? "";
    row.push(quoted === undefined ? content : quoted.replaceAll('""', '"').replace(/\r\n?/g, "\n"));
    at += content.length;
    if (text[at] === "\t") {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (at === text.length) break;
  }
  return rows;
}
