/**
 * How cells look, by their number in the file, and the styles of conditional formats. The workbook's normal font is the
 * grid's own; only what differs from it is kept.
 */
import type { ConditionalStyle } from "../univer/styles/conditional-format";
import { builtInFormat } from "./built-in-formats";
import { colorOf, type FileColor } from "./file-colors";
import { attribute, type Attributes, isTrue, readXml } from "./xml";

export interface FileStyle {
  numberFormat?: string;
  bold?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  /** Of the normal font's size; 1 is left out. */
  sizeRatio?: number;
  color?: string;
  fill?: string;
  align?: "left" | "center" | "right";
  wrap?: true;
  borders?: Partial<Record<Side, { readonly style: string; readonly color: FileColor }>>;
}

export type Side = "left" | "right" | "top" | "bottom";

export interface FileStyles {
  readonly cells: readonly FileStyle[];
  readonly conditional: readonly ConditionalStyle[];
}

const mostStyles = 66_000;
type Font = Pick<FileStyle, "bold" | "italic" | "underline" | "strike" | "color"> & { size?: number };

export async function readStyles(part: string, xml: string, theme: readonly string[]): Promise<FileStyles> {
  const formats = new Map<number, string>();
  const fonts: Font[] = [];
  const fills: Pick<FileStyle, "fill">[] = [];
  const borders: NonNullable<FileStyle["borders"]>[] = [];
  const cells: FileStyle[] = [];
  const conditional: ConditionalStyle[] = [];
  let list = "";
  let font: Font = {};
  /** Borders and fills have colours too, in conditional styles beside the font. */
  let isInFont = false;
  let fill: { fill?: string; pattern?: string } = {};
  let border: NonNullable<FileStyle["borders"]> = {};
  let side: Side | null = null;
  let style: FileStyle = {};

  /** The lists stand beside each other; a conditional style has a font and a fill of its own within it. */
  function open(element: string, given: Attributes): void {
    if (lists.has(element)) list = element;
    else if (element === "dxf") [font, fill] = [{}, {}];
    else if (element === "font") [font, isInFont] = [{}, true];
    else if (element === "patternFill") fill = { pattern: attribute(given, "patternType") ?? "solid" };
    else if (element === "border") border = {};
    else if (element === "numFmt" && list === "numFmts") {
      formats.set(Number(attribute(given, "numFmtId")), attribute(given, "formatCode") ?? "");
    } else if (element === "xf" && list === "cellXfs") style = styleOf(given);
    else if (element === "alignment" && list === "cellXfs") Object.assign(style, alignmentOf(given));
    else if (isSide(element) && list === "borders") {
      const drawn = attribute(given, "style") ?? "none";
      side = drawn === "none" ? null : element;
      if (side !== null) border = { ...border, [side]: { style: drawn, color: null } };
    } else readFontOrFill(element, given);
  }

  function readFontOrFill(element: string, given: Attributes): void {
    const color = colorOf(given, theme);
    const isOn = attribute(given, "val") === undefined || isTrue(attribute(given, "val"));
    if (element === "b" && isOn) font.bold = true;
    if (element === "i" && isOn) font.italic = true;
    if (element === "strike" && isOn) font.strike = true;
    if (element === "u" && attribute(given, "val") !== "none") font.underline = true;
    if (element === "sz") font.size = Number(attribute(given, "val"));
    if (element === "color" && list === "borders" && side !== null) {
      border = { ...border, [side]: { style: border[side]?.style ?? "thin", color } };
    } else if (element === "color" && isInFont && color !== null && !isPlainText(given)) font.color = color;
    if (fill.pattern === "none" || color === null) return;
    // Of cells the one in front, of conditional formats the one behind.
    if (element === "fgColor" && (fill.pattern === "solid" || list === "dxfs")) fill.fill = color;
    if (element === "bgColor" && list === "dxfs") fill.fill = color;
  }

  function styleOf(given: Attributes): FileStyle {
    const index = (name: string): number => Number(attribute(given, name) ?? 0);
    const format = index("numFmtId");
    const { size, ...styles } = fonts[index("fontId")] ?? {};
    const normal = fonts[0] ?? {};
    const ratio = size !== undefined && normal.size ? size / normal.size : 1;
    const drawn = borders[index("borderId")];
    const numberFormat = formats.get(format) ?? builtInFormat(format);
    return {
      ...(numberFormat === null || numberFormat === "General" ? {} : { numberFormat }),
      ...styles,
      ...(ratio > 0.2 && ratio < 10 && Math.abs(ratio - 1) > 0.01 ? { sizeRatio: ratio } : {}),
      ...fills[index("fillId")],
      ...(drawn !== undefined && Object.keys(drawn).length > 0 ? { borders: drawn } : {}),
    };
  }

  await readXml(part, xml, {
    open,
    close(element) {
      if (element === list) list = "";
      if (isSide(element)) side = null;
      if (element === "font") isInFont = false;
      if (element === "font" && list === "fonts" && fonts.length < mostStyles) fonts.push(font);
      if (element === "fill" && list === "fills" && fills.length < mostStyles) {
        fills.push(fill.fill === undefined ? {} : { fill: fill.fill });
        fill = {};
      }
      if (element === "border" && list === "borders" && borders.length < mostStyles) borders.push(border);
      if (element === "xf" && list === "cellXfs" && cells.length < mostStyles) cells.push(style);
      if (element === "dxf" && list === "dxfs" && conditional.length < mostStyles) {
        conditional.push(conditionalStyle(font, fill.fill));
      }
    },
  });
  return { cells, conditional };
}

const lists: ReadonlySet<string> = new Set([
  ...["numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs"],
]);

function isSide(element: string): element is Side {
  return element === "left" || element === "right" || element === "top" || element === "bottom";
}

/** The theme's colour for text is the grid's own, which follows light and dark. */
function isPlainText(given: Attributes): boolean {
  return attribute(given, "theme") === "1" && attribute(given, "tint") === undefined;
}

function alignmentOf(given: Attributes): FileStyle {
  const align = attribute(given, "horizontal");
  return {
    ...(align === "left" || align === "center" || align === "right" ? { align } : {}),
    ...(isTrue(attribute(given, "wrapText")) ? { wrap: true } : {}),
  };
}

function conditionalStyle({ bold, italic, color }: Font, fill: string | undefined): ConditionalStyle {
  return {
    ...(bold ? { bold } : {}),
    ...(italic ? { italic } : {}),
    ...(color === undefined ? {} : { color }),
    ...(fill === undefined ? {} : { fill }),
  };
}
