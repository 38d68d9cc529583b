/** Reads cell styles by their index in the file: number formats, bold, colors, borders and alignment. */
import { attribute, type Attributes, isTrue, readXml } from "./xml";

/**
 * Characters; Excel writes no longer format. 100,000 brackets keep the grid's number formatter busy for half a minute.
 */
const maxFormatLength = 255;

export interface FileStyle {
  numberFormat?: string;
  bold?: true;
  color?: string;
  fill?: string;
  align?: "left" | "center" | "right";
  borders?: FileBorders;
}

export const sides = ["left", "right", "top", "bottom"] as const;
type Side = (typeof sides)[number];
/** The color is null if the file names none. */
export type FileBorders = Partial<Record<Side, { readonly kind: string; readonly color: string | null }>>;

export interface FileStyles {
  /** By the index that cells refer to. */
  readonly styles: readonly FileStyle[];
  /** Whether some cells have wrapped text or diagonal lines, which the grid doesn't show. */
  readonly hasUnshownStyles: boolean;
}

const maxStyles = 66_000;
type Font = Pick<FileStyle, "bold" | "color">;

export async function readStyles(part: string, xml: string): Promise<FileStyles> {
  const formats = new Map<number, string>();
  const fonts: Font[] = [];
  const fills: Pick<FileStyle, "fill">[] = [];
  const borders: FileBorders[] = [];
  const cells: FileStyle[] = [];
  let list = "";
  let font: Font = {};
  let fill: { fill?: string; pattern?: string } = {};
  let border: FileBorders = {};
  let side: Side | null = null;
  let style: FileStyle = {};
  let hasUnshownStyles = false;

  function open(element: string, attributes: Attributes): void {
    if (lists.has(element)) list = element;
    else if (element === "font") font = {};
    else if (element === "patternFill") fill = { pattern: attribute(attributes, "patternType") ?? "solid" };
    else if (element === "numFmt" && list === "numFmts") {
      const format = attribute(attributes, "formatCode") ?? "";
      formats.set(
        Number(attribute(attributes, "numFmtId")),
        format.length > maxFormatLength ? "General" : format,
      );
    } else if (element === "xf" && list === "cellXfs") style = styleOf(attributes);
    else if (element === "alignment" && list === "cellXfs") {
      Object.assign(style, alignmentOf(attributes));
      hasUnshownStyles ||= isTrue(attribute(attributes, "wrapText"));
    } else if (list === "borders") openBorder(element, attributes);
    else readFontOrFill(element, attributes);
  }

  function openBorder(element: string, attributes: Attributes): void {
    const kind = attribute(attributes, "style") ?? "none";
    if (element === "border") border = {};
    else if (element === "color" && side !== null && border[side] !== undefined) {
      border = { ...border, [side]: { ...border[side], color: colorOf(attributes) } };
    } else if (isSide(element)) {
      side = element;
      if (kind !== "none") border = { ...border, [side]: { kind, color: null } };
    } else hasUnshownStyles ||= kind !== "none";
  }

  function readFontOrFill(element: string, attributes: Attributes): void {
    const color = colorOf(attributes);
    const isOn = attribute(attributes, "val") === undefined || isTrue(attribute(attributes, "val"));
    if (element === "b" && isOn) font.bold = true;
    if (element === "color" && list === "fonts" && color !== null && !isPlainText(attributes)) {
      font.color = color;
    }
    if (element === "fgColor" && fill.pattern === "solid" && color !== null) fill.fill = color;
  }

  function styleOf(attributes: Attributes): FileStyle {
    const index = (name: string): number => Number(attribute(attributes, name) ?? 0);
    const format = index("numFmtId");
    const numberFormat = formats.get(format) ?? builtInFormats.get(format) ?? null;
    return {
      ...(numberFormat === null || numberFormat === "General" ? {} : { numberFormat }),
      ...fonts[index("fontId")],
      ...fills[index("fillId")],
      ...bordersAt(index("borderId")),
    };
  }

  function bordersAt(index: number): Pick<FileStyle, "borders"> {
    const found = borders[index] ?? {};
    return Object.keys(found).length === 0 ? {} : { borders: found };
  }

  await readXml(part, xml, {
    open,
    close(element) {
      if (element === list) list = "";
      if (isSide(element)) side = null;
      if (element === "border" && list === "borders" && borders.length < maxStyles) borders.push(border);
      if (element === "font" && list === "fonts" && fonts.length < maxStyles) fonts.push(font);
      if (element === "fill" && list === "fills" && fills.length < maxStyles) {
        fills.push(fill.fill === undefined ? {} : { fill: fill.fill });
        fill = {};
      }
      if (element === "xf" && list === "cellXfs" && cells.length < maxStyles) cells.push(style);
    },
  });
  return { styles: cells, hasUnshownStyles };
}

const lists: ReadonlySet<string> = new Set([
  ...["numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles"],
]);

function isSide(element: string): element is Side {
  return sides.some((side) => side === element);
}

/** Text in the theme's text color uses the grid's own, which follows light and dark mode. */
function isPlainText(attributes: Attributes): boolean {
  return attribute(attributes, "theme") === "1" && attribute(attributes, "tint") === undefined;
}

function alignmentOf(attributes: Attributes): FileStyle {
  const align = attribute(attributes, "horizontal");
  return align === "left" || align === "center" || align === "right" ? { align } : {};
}

/** Office's own theme, in the order of the cells' indexes. A file's own theme is not read. */
const officeColors: readonly string[] = [
  ...["FFFFFF", "000000", "E7E6E6", "44546A", "4472C4", "ED7D31"],
  ...["A5A5A5", "FFC000", "5B9BD5", "70AD47", "0563C1", "954F72"],
];

/** `#1F3A5F`; null if the file names no color, or one of the palette of Excel 2003. */
export function colorOf(attributes: Attributes): string | null {
  const rgb = attribute(attributes, "rgb");
  const themed = attribute(attributes, "theme");
  const digits =
    rgb !== undefined
      ? /^(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(rgb)?.[1]
      : themed !== undefined
        ? officeColors[Number(themed)]
        : undefined;
  return digits === undefined ? null : tinted(digits, Number(attribute(attributes, "tint") ?? 0));
}

/** Above 0 it mixes with white, below 0 with black. The result is close to what Excel shows. */
function tinted(digits: string, tint: number): string {
  if (tint === 0 || !(tint >= -1 && tint <= 1)) return `#${digits.toUpperCase()}`;
  const part = (at: number): string => {
    const value = parseInt(digits.slice(at, at + 2), 16);
    const mixed = tint < 0 ? value * (1 + tint) : value + (255 - value) * tint;
    return Math.round(mixed).toString(16).padStart(2, "0");
  };
  return `#${[0, 2, 4].map(part).join("").toUpperCase()}`;
}

/** Number formats that files refer to by number only. Dates and times look as in American Excel. */
const builtInFormats: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "m/d/yyyy"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "m/d/yyyy h:mm"],
  [37, "#,##0_);(#,##0)"],
  [38, "#,##0_);[Red](#,##0)"],
  [39, "#,##0.00_);(#,##0.00)"],
  [40, "#,##0.00_);[Red](#,##0.00)"],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
]);
