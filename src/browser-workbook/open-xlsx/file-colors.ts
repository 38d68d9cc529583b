/**
 * Reads colors as files name them: as digits, as an index in the theme with a tint, or as an index in the old palette.
 */
import { attribute, type Attributes, readXml } from "./xml";

/** `#1f3a5f`; null if the file names no color. */
export type FileColor = string | null;

/** Office's own theme, for files without one, in the order of the cells' indexes. */
export const officeColors: readonly string[] = [
  ...["#FFFFFF", "#000000", "#E7E6E6", "#44546A", "#4472C4", "#ED7D31"],
  ...["#A5A5A5", "#FFC000", "#5B9BD5", "#70AD47", "#0563C1", "#954F72"],
];

/** The old palette from index 8 on. Indexes 0 to 7 are the same colors as the first eight here. */
const palette =
  `000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF 800000 008000 000080 808000 800080 008080 C0C0C0 808080
9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF
00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696
003366 339966 003300 333300 993300 993366 333399 333333`.split(/\s+/);

export function colorOf(attributes: Attributes, theme: readonly string[]): FileColor {
  const rgb = attribute(attributes, "rgb");
  const themed = attribute(attributes, "theme");
  const indexed = attribute(attributes, "indexed");
  const tint = Number(attribute(attributes, "tint") ?? 0);
  const base =
    rgb !== undefined
      ? (/^(?:[0-9a-f]{2})?([0-9a-f]{6})$/i.exec(rgb)?.[1] ?? null)
      : themed !== undefined
        ? (theme[Number(themed)]?.slice(1) ?? null)
        : indexed !== undefined
          ? (palette[Number(indexed) < 8 ? Number(indexed) : Number(indexed) - 8] ?? null)
          : null;
  return base === null ? null : tinted(base, tint);
}

/** Returns the theme's colors in the order of the cells' indexes: in the first two pairs, light comes before dark. */
export async function readTheme(part: string, xml: string): Promise<readonly string[]> {
  const found = new Map<string, string>();
  const order = [
    "lt1",
    "dk1",
    "lt2",
    "dk2",
    "accent1",
    "accent2",
    "accent3",
    "accent4",
    "accent5",
    "accent6",
  ];
  let inside: string | null = null;
  await readXml(part, xml, {
    open(element, attributes) {
      if ([...order, "hlink", "folHlink"].includes(element)) inside = element;
      else if (inside !== null && (element === "srgbClr" || element === "sysClr")) {
        const color = attribute(attributes, element === "srgbClr" ? "val" : "lastClr") ?? "";
        if (/^[0-9a-f]{6}$/i.test(color) && !found.has(inside)) found.set(inside, `#${color.toUpperCase()}`);
      }
    },
    close(element) {
      if (element === inside) inside = null;
    },
  });
  return [...order, "hlink", "folHlink"].map(
    (each, index) => found.get(each) ?? officeColors[index] ?? "#000000",
  );
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
