/**
 * Splits plain text from the clipboard into rows of cells: tabs between cells, line breaks of any system between rows.
 * A cell that begins with a quotation mark runs to the closing one and may contain tabs and line breaks, as in Excel.
 * Blank cells and empty lines keep their place. A line break after the last row adds no row.
 */
import { blankCell, type PastedCell, type PastedTable } from "./pasted-table";
import { readTypedText } from "./typed-text";
import type { LocaleFormat } from "./locale-format";

export function readPlainTable(text: string, locale: LocaleFormat): PastedTable {
  return { rows: cells(splitRows(text), locale) };
}

function* cells(rows: readonly (readonly string[])[], locale: LocaleFormat): Generator<PastedCell[]> {
  for (const row of rows) yield row.map((text) => (text === "" ? blankCell : readTypedText(text, locale)));
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
