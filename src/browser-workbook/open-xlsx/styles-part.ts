/** Reads cell styles by their index in the file: number formats, bold, colors and alignment. */
import { builtInFormat } from "./built-in-formats";
import { colorOf } from "./file-colors";
import { attribute, type Attributes, isTrue, readXml } from "./xml";

/**
 * Characters; Excel writes no longer format. 100,000 brackets keep the grid's number formatter busy for half a minute.
 */
const longestFormat = 255;

export interface FileStyle {
  numberFormat?: string;
  bold?: true;
  color?: string;
  fill?: string;
  align?: "left" | "center" | "right";
}

export interface FileStyles {
  /** By the index that cells refer to. */
  readonly styles: readonly FileStyle[];
  /** Whether some cells have borders or wrapped text, which the grid doesn't show. */
  readonly hasUnshownStyles: boolean;
}

const mostStyles = 66_000;
type Font = Pick<FileStyle, "bold" | "color">;

export async function readStyles(part: string, xml: string): Promise<FileStyles> {
  const formats = new Map<number, string>();
  const fonts: Font[] = [];
  const fills: Pick<FileStyle, "fill">[] = [];
  const cells: FileStyle[] = [];
  let list = "";
  let font: Font = {};
  let fill: { fill?: string; pattern?: string } = {};
  let style: FileStyle = {};
  let hasUnshownStyles = false;

  function open(element: string, given: Attributes): void {
    if (lists.has(element)) list = element;
    else if (element === "font") font = {};
    else if (element === "patternFill") fill = { pattern: attribute(given, "patternType") ?? "solid" };
    else if (element === "numFmt" && list === "numFmts") {
      const format = attribute(given, "formatCode") ?? "";
      formats.set(Number(attribute(given, "numFmtId")), format.length > longestFormat ? "General" : format);
    } else if (element === "xf" && list === "cellXfs") style = styleOf(given);
    else if (element === "alignment" && list === "cellXfs") {
      Object.assign(style, alignmentOf(given));
      hasUnshownStyles ||= isTrue(attribute(given, "wrapText"));
    } else if (list === "borders") hasUnshownStyles ||= (attribute(given, "style") ?? "none") !== "none";
    else readFontOrFill(element, given);
  }

  function readFontOrFill(element: string, given: Attributes): void {
    const color = colorOf(given);
    const isOn = attribute(given, "val") === undefined || isTrue(attribute(given, "val"));
    if (element === "b" && isOn) font.bold = true;
    if (element === "color" && list === "fonts" && color !== null && !isPlainText(given)) {
      font.color = color;
    }
    if (element === "fgColor" && fill.pattern === "solid" && color !== null) fill.fill = color;
  }

  function styleOf(given: Attributes): FileStyle {
    const index = (name: string): number => Number(attribute(given, name) ?? 0);
    const format = index("numFmtId");
    const numberFormat = formats.get(format) ?? builtInFormat(format);
    return {
      ...(numberFormat === null || numberFormat === "General" ? {} : { numberFormat }),
      ...fonts[index("fontId")],
      ...fills[index("fillId")],
    };
  }

  await readXml(part, xml, {
    open,
    close(element) {
      if (element === list) list = "";
      if (element === "font" && list === "fonts" && fonts.length < mostStyles) fonts.push(font);
      if (element === "fill" && list === "fills" && fills.length < mostStyles) {
        fills.push(fill.fill === undefined ? {} : { fill: fill.fill });
        fill = {};
      }
      if (element === "xf" && list === "cellXfs" && cells.length < mostStyles) cells.push(style);
    },
  });
  return { styles: cells, hasUnshownStyles };
}

const lists: ReadonlySet<string> = new Set([
  ...["numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles"],
]);

/** Text in the theme's text color uses the grid's own, which follows light and dark mode. */
function isPlainText(given: Attributes): boolean {
  return attribute(given, "theme") === "1" && attribute(given, "tint") === undefined;
}

function alignmentOf(given: Attributes): FileStyle {
  const align = attribute(given, "horizontal");
  return align === "left" || align === "center" || align === "right" ? { align } : {};
}
