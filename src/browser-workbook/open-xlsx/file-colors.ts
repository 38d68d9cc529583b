/** Reads colors as files name them: as digits, or as an index in the theme with a tint. */
import { attribute, type Attributes } from "./xml";

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
