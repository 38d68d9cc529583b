/** Writes one sheet as XML, row by row, so that the caller can pause between rows. */
import { columnName } from "../../formula/columns";
import { areaAddress } from "../../workbook/addresses";
import { isError, withoutFormula } from "../../workbook/cell-content";
import type { FileCell, FileColumn, FileRow, FileSheet } from "./file-book";
import type { FileStyles } from "./styles-part";
import { cellText } from "./xml-text";

const namespaces =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const pointsPerPx = 0.75;

/** The part before the rows. */
export function sheetStart(sheet: FileSheet, styles: FileStyles, isShown: boolean): string {
  const { frozenRows, frozenCols, defaultWidthPx, columns } = sheet;
  const frozen =
    frozenRows + frozenCols === 0
      ? ""
      : `<pane${frozenCols > 0 ? ` xSplit="${frozenCols}"` : ""}${frozenRows > 0 ? ` ySplit="${frozenRows}"` : ""}` +
        ` topLeftCell="${columnName(frozenCols)}${frozenRows + 1}" activePane="${paneName(frozenRows, frozenCols)}" state="frozen"/>`;
  return (
    `<worksheet ${namespaces}>` +
    `<sheetViews><sheetView${isShown ? ' tabSelected="1"' : ""} workbookViewId="0">${frozen}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultColWidth="${fileWidth(defaultWidthPx)}" defaultRowHeight="15"/>` +
    (columns.length === 0
      ? ""
      : `<cols>${columns.map((each) => columnXml(each, sheet, styles)).join("")}</cols>`) +
    "<sheetData>"
  );
}

export function rowXml({ row, heightPx, isHidden, cells }: FileRow, styles: FileStyles): string {
  const height = heightPx === null ? "" : ` ht="${heightPx * pointsPerPx}" customHeight="1"`;
  const inside = cells.map((cell) => cellXml(`${columnName(cell.col)}${row + 1}`, cell, styles)).join("");
  return `<row r="${row + 1}"${height}${isHidden ? ' hidden="1"' : ""}>${inside}</row>`;
}

/** The part after the rows. */
export function sheetEnd({ merged, notes }: FileSheet): string {
  const cells = merged.map((area) => `<mergeCell ref="${areaAddress(area)}"/>`);
  return (
    "</sheetData>" +
    (cells.length === 0 ? "" : `<mergeCells count="${cells.length}">${cells.join("")}</mergeCells>`) +
    (notes.length === 0 ? "" : '<legacyDrawing r:id="rId2"/>') +
    "</worksheet>"
  );
}

function columnXml(
  { col, widthPx, isHidden, style }: FileColumn,
  { defaultWidthPx }: FileSheet,
  styles: FileStyles,
): string {
  const index = styles.indexOf(style);
  return (
    `<col min="${col + 1}" max="${col + 1}" width="${fileWidth(widthPx ?? defaultWidthPx)}" customWidth="1"` +
    `${isHidden ? ' hidden="1"' : ""}${index === 0 ? "" : ` style="${index}"`}/>`
  );
}

function cellXml(address: string, { content, style }: FileCell, styles: FileStyles): string {
  const index = styles.indexOf(style);
  const start = `<c r="${address}"${index === 0 ? "" : ` s="${index}"`}`;
  const value = withoutFormula(content);
  if (value === null || value === "") return `${start}/>`;
  if (isError(value)) return `${start} t="e"><v>${value.error}</v></c>`;
  if (typeof value === "boolean") return `${start} t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === "string") {
    return `${start} t="inlineStr"><is><t xml:space="preserve">${cellText(value)}</t></is></c>`;
  }
  return Number.isFinite(value) ? `${start}><v>${value}</v></c>` : `${start} t="e"><v>#NUM!</v></c>`;
}

/** In characters of 7 pixels, Excel's unit. */
function fileWidth(px: number): number {
  return Math.max(0.5, (px - 5) / 7);
}

function paneName(frozenRows: number, frozenCols: number): string {
  if (frozenRows === 0) return "topRight";
  return frozenCols === 0 ? "bottomLeft" : "bottomRight";
}
