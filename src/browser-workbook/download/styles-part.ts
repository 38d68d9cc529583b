/** Collects the formats of cells and writes them as the styles of an .xlsx file. Each format is written once. */
import { borderSides, type FileBorders, type FileStyle } from "./file-book";
import { escaped } from "./xml-text";

export interface FileStyles {
  /**
   * Returns the style's index in the file; 0 is the normal style.
   * @param isQuoted whether Excel keeps the cell's text a text when it is edited, although it begins with `=`
   */
  indexOf(style: FileStyle | null, isQuoted?: boolean): number;
  xml(): string;
}

/** Excel refuses a file with a longer number format. */
const maxFormatLength = 255;
/** Number formats with lower ids are Excel's own. */
const firstFormatId = 164;

export function createStyles(): FileStyles {
  const seen = new Map<FileStyle, number>();
  const formats = createList();
  const fonts = createList(fontXml({}));
  // Excel reserves the first two fills.
  const fills = createList('<fill><patternFill patternType="none"/></fill>', fillXml("gray125", ""));
  const borders = createList(borderXml({}));
  const cells = createList(cellXml({ number: 0, font: 0, fill: 0, border: 0 }, {}, false));

  function add(style: FileStyle, isQuoted: boolean): number {
    const { numberFormat, fill, borders: lines } = style;
    const fillColor = fill === undefined ? null : toArgb(fill);
    const parts = {
      number: numberFormat === undefined ? 0 : numberIndex(numberFormat),
      font: fonts.add(fontXml(style)),
      fill: fillColor === null ? 0 : fills.add(fillXml("solid", `<fgColor rgb="${fillColor}"/>`)),
      border: lines === undefined ? 0 : borders.add(borderXml(lines)),
    };
    return cells.add(cellXml(parts, style, isQuoted));
  }

  function numberIndex(format: string): number {
    if (format === "" || format === "General" || format.length > maxFormatLength) return 0;
    return firstFormatId + formats.add(escaped(format));
  }

  return {
    indexOf(style, isQuoted = false) {
      if (isQuoted) return add(style ?? {}, true);
      if (style === null) return 0;
      const index = seen.get(style) ?? add(style, false);
      seen.set(style, index);
      return index;
    },
    xml() {
      const numFmts = formats.items.map(
        (code, index) => `<numFmt numFmtId="${firstFormatId + index}" formatCode="${code}"/>`,
      );
      return (
        '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
        (numFmts.length === 0 ? "" : listXml("numFmts", numFmts)) +
        listXml("fonts", fonts.items) +
        listXml("fills", fills.items) +
        listXml("borders", borders.items) +
        listXml("cellStyleXfs", ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']) +
        listXml("cellXfs", cells.items) +
        listXml("cellStyles", ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']) +
        "</styleSheet>"
      );
    },
  };
}

/** A list in which each item is once. */
function createList(...first: readonly string[]) {
  const items = [...first];
  const indexes = new Map(items.map((item, index) => [item, index]));
  return {
    items: items as readonly string[],
    add(item: string): number {
      const index = indexes.get(item) ?? items.push(item) - 1;
      indexes.set(item, index);
      return index;
    },
  };
}

function listXml(name: string, items: readonly string[]): string {
  return `<${name} count="${items.length}">${items.join("")}</${name}>`;
}

function fontXml({ bold, italic, strike, underline, color }: FileStyle): string {
  const argb = color === undefined ? null : toArgb(color);
  return (
    `<font>${bold ? "<b/>" : ""}${italic ? "<i/>" : ""}${strike ? "<strike/>" : ""}${underline ? "<u/>" : ""}` +
    `<sz val="11"/>${argb === null ? "" : `<color rgb="${argb}"/>`}<name val="Calibri"/><family val="2"/></font>`
  );
}

function fillXml(pattern: string, color: string): string {
  return `<fill><patternFill patternType="${pattern}">${color}</patternFill></fill>`;
}

function borderXml(borders: FileBorders): string {
  const lines = borderSides.map((side) => {
    const line = borders[side];
    if (line === undefined) return `<${side}/>`;
    return `<${side} style="${line.kind}"><color rgb="${toArgb(line.color) ?? "FF000000"}"/></${side}>`;
  });
  return `<border>${lines.join("")}<diagonal/></border>`;
}

interface StyleParts {
  readonly number: number;
  readonly font: number;
  readonly fill: number;
  readonly border: number;
}

function cellXml(
  { number, font, fill, border }: StyleParts,
  { align, wraps }: FileStyle,
  isQuoted: boolean,
): string {
  const alignment =
    (align === undefined ? "" : ` horizontal="${align}"`) + (wraps === true ? ' wrapText="1"' : "");
  const start = `<xf numFmtId="${number}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${isQuoted ? ' quotePrefix="1"' : ""}`;
  return alignment === "" ? `${start}/>` : `${start} applyAlignment="1"><alignment${alignment}/></xf>`;
}

/** Converts a color to the eight digits of .xlsx files. Color names and other notations give null. */
function toArgb(color: string): string | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  if (short !== null) {
    const doubled = short.slice(1).map((digit) => digit + digit);
    return toArgb(`#${doubled.join("")}`);
  }
  const six = /^#?([0-9a-f]{6})$/i.exec(color)?.[1];
  if (six !== undefined) return `FF${six.toUpperCase()}`;
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/i.exec(color)?.slice(1);
  if (parts === undefined) return null;
  const hex = parts.map((part) => Math.min(255, Number(part)).toString(16).padStart(2, "0"));
  return `FF${hex.join("").toUpperCase()}`;
}
