/**
 * Plain text from the clipboard as rows of cells: tabs between cells, line ends of any system between rows.
 * A cell that begins with a quotation mark runs to the closing one, tabs and line ends included, as Excel
 * writes cells with line breaks. Blank cells and empty lines keep their place; the line end after the last
 * row is none.
 */
import { blankCell, type PastedCell, type PastedTable } from "./pasted-table";
import { readTyped } from "./typed-text";
import type { WritingHabits } from "./writing-habits";

export function readPlainTable(text: string, habits: WritingHabits): PastedTable {
  return { rows: cells(splitRows(text), habits) };
}

function* cells(rows: readonly (readonly string[])[], habits: WritingHabits): Generator<PastedCell[]> {
  for (const row of rows) yield row.map((text) => (text === "" ? blankCell : readTyped(text, habits)));
}

/** A quoted cell only where the closing mark ends it, else what is between separators. */
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
    // The end of the last line begins no new one.
    if (at === text.length) break;
  }
  return rows;
}
