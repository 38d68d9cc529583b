/**
 * Writes copied cells for other programs, as text and as HTML. The text can be read back by plain-table.ts. The HTML says what a text
 * alone doesn't, in the words of Excel's own copies: which texts are texts, because Excel would read `00012345678905` as a number
 * without its zeros; all digits of a number, and its format; which words are errors or TRUE and FALSE, in every language.
 */
import { isError } from "../../workbook/cell-content";
import type { CellContent } from "../../workbook/port";

export interface CopiedCell {
  readonly value: CellContent;
  /** The text that the cell shows. */
  readonly text: string;
  /** Excel's code; null for the general format. */
  readonly numberFormat: string | null;
}

type Rows = readonly (readonly CopiedCell[])[];

export function copiedText(rows: Rows): string {
  return rows.map((row) => row.map(({ text }) => quoted(text)).join("\t")).join("\n");
}

/** A cell with a tab or a line break would otherwise become several cells. */
function quoted(text: string): string {
  return /^"|[\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param copyId by which the grid recognizes its own copies */
export function copiedHtml(rows: Rows, copyId: string): string {
  const lines = rows.map((row) => `<tr>${row.map(cellHtml).join("")}</tr>`);
  return `<table data-copy-id="${copyId}"><tbody>${lines.join("")}</tbody></table>`;
}

function cellHtml(cell: CopiedCell): string {
  const sameCell = '<br style="mso-data-placement:same-cell">';
  return `<td${attributes(cell)}>${escaped(cell.text).replace(/\r\n?|\n/g, sameCell)}</td>`;
}

function attributes({ value, numberFormat }: CopiedCell): string {
  if (isError(value)) return ` x:err="${escaped(value.error)}"`;
  if (typeof value === "boolean") return ` x:bool="${String(value).toUpperCase()}"`;
  if (typeof value === "number") return ` x:num="${value}"${formatStyle(numberFormat)}`;
  return value === null ? "" : formatStyle("@");
}

function formatStyle(format: string | null): string {
  if (format === null) return "";
  const code = format.replace(/[^\p{L}\p{N} ]/gu, (mark) =>
    /["'&<>\\]/.test(mark) ? `\\${mark.charCodeAt(0).toString(16).padStart(4, "0")}` : `\\${mark}`,
  );
  return ` style="mso-number-format:'${code}'"`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => entities[mark] ?? mark);
}
