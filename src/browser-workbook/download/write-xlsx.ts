/**
 * Writes a workbook as an .xlsx file of values and formats. It reads, writes and compresses row by row and pauses in between, so
 * that the page takes keys. exceljs wrote 100,000 cells in blocks of 1.4 s (measured), and leaves out values under merged cells;
 * write-excel-file leaves these out too.
 */
import { strToU8, Zip, ZipDeflate } from "fflate";
import { columnName } from "../../formula/columns";
import { areaAddress } from "../../workbook/addresses";
import { isError, withoutFormula } from "../../workbook/cell-content";
import { createPace } from "../page-turns";
import type { FileBook, FileCell, FileColumn, FileRow, FileSheet } from "./file-book";
import { createStyles, type FileStyles } from "./styles-part";
import { cellText, escaped } from "./xml-text";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const namespaces = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"`;
const pointsPerPx = 0.75;
/** Characters that are compressed together. */
const chunkLength = 65_536;
/** The archive's first possible day, so that it doesn't tell when it was made. */
const mtime = new Date(1980, 0, 1);

type Add = (name: string, xml: string) => void;

/** Rejects with the signal's reason if it is aborted. */
export async function writeXlsx({ sheets, shownSheet }: FileBook, signal: AbortSignal): Promise<Blob> {
  const written: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, data) => {
    if (error !== null) throw error;
    written.push(data);
  });
  const styles = createStyles();
  const pace = createPace();

  /** Returns the function that adds to the file's text, and ends it. */
  function begin(name: string): (text: string, isLast: boolean) => void {
    const file = new ZipDeflate(name);
    file.mtime = mtime;
    zip.add(file);
    return (text, isLast) => file.push(strToU8(text), isLast);
  }

  async function addSheet(sheet: FileSheet, index: number): Promise<void> {
    const write = begin(`xl/worksheets/sheet${index + 1}.xml`);
    let chunk = declaration + sheetStart(sheet, styles, index === shownSheet);
    for (const row of sheet.rows()) {
      chunk += rowXml(row, styles);
      await pace();
      signal.throwIfAborted();
      if (chunk.length < chunkLength) continue;
      write(chunk, false);
      chunk = "";
    }
    write(chunk + sheetEnd(sheet), true);
  }

  const add: Add = (name, xml) => begin(name)(declaration + xml, true);
  for (const [index, sheet] of sheets.entries()) {
    await addSheet(sheet, index);
    if (sheet.notes.length > 0) addNotes(add, sheet.notes, index + 1);
  }
  addBook(add, { sheets, shownSheet }, styles);
  zip.end();
  return new Blob(written, { type: `${contentType}.sheet` });
}

function addBook(add: Add, { sheets, shownSheet }: FileBook, styles: FileStyles): void {
  const parts = sheets.map((_, index) => `worksheets/sheet${index + 1}.xml`);
  const tabs = sheets.map(
    ({ name, isHidden }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${isHidden ? ' state="hidden"' : ""} r:id="rId${index + 1}"/>`,
  );
  const types: [string, string][] = [
    ["workbook.xml", "sheet.main"],
    ["styles.xml", "styles"],
    ...parts.map((part): [string, string] => [part, "worksheet"]),
    ...sheets.flatMap(({ notes }, index): [string, string][] =>
      notes.length === 0 ? [] : [[`comments${index + 1}.xml`, "comments"]],
    ),
  ];
  add("xl/styles.xml", styles.xml());
  add(
    "xl/workbook.xml",
    `<workbook ${namespaces}>` +
      `<bookViews><workbookView activeTab="${shownSheet}"/></bookViews><sheets>${tabs.join("")}</sheets></workbook>`,
  );
  add(
    "xl/_rels/workbook.xml.rels",
    relations([...parts.map((part): [string, string] => ["worksheet", part]), ["styles", "styles.xml"]]),
  );
  add("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]]));
  add(
    "[Content_Types].xml",
    `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      '<Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>' +
      `${types.map(([part, type]) => `<Override PartName="/xl/${part}" ContentType="${contentType}.${type}+xml"/>`).join("")}</Types>`,
  );
}

/** Adds a sheet's notes: their texts, and the boxes that Excel draws them in, which a file must contain. */
function addNotes(add: Add, notes: FileSheet["notes"], number: number): void {
  const comments = notes.map(
    ({ row, col, text }) =>
      `<comment ref="${columnName(col)}${row + 1}" authorId="0"><text><r><t xml:space="preserve">${cellText(text)}</t></r></text></comment>`,
  );
  const boxes = notes.map(
    ({ row, col }, index) =>
      `<v:shape id="_x0000_s${1025 + index}" type="#_x0000_t202" style="position:absolute;width:180pt;height:75pt;z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
      '<v:fill color2="#ffffe1"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"/>' +
      `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:AutoFill>False</x:AutoFill><x:Row>${row}</x:Row><x:Column>${col}</x:Column></x:ClientData></v:shape>`,
  );
  add(
    `xl/comments${number}.xml`,
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      `<authors><author>INV</author></authors><commentList>${comments.join("")}</commentList></comments>`,
  );
  add(
    `xl/drawings/vmlDrawing${number}.vml`,
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">' +
      '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>' +
      `${boxes.join("")}</xml>`,
  );
  add(
    `xl/worksheets/_rels/sheet${number}.xml.rels`,
    relations([
      ["comments", `../comments${number}.xml`],
      ["vmlDrawing", `../drawings/vmlDrawing${number}.vml`],
    ]),
  );
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const listed = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packages}/relationships">${listed.join("")}</Relationships>`;
}

/** The part before the rows. */
function sheetStart(sheet: FileSheet, styles: FileStyles, isShown: boolean): string {
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
function sheetEnd({ merged, notes }: FileSheet): string {
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
  const value = withoutFormula(content);
  const index = styles.indexOf(style, typeof value === "string" && value.startsWith("="));
  const start = `<c r="${address}"${index === 0 ? "" : ` s="${index}"`}`;
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
