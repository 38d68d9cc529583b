/** Translates the grid's cell borders to the names of files. */
import { BorderStyleTypes, type IStyleData } from "@univerjs/core";

const sides = { left: "l", right: "r", top: "t", bottom: "b" } as const;

/** The color is null if the cell names none. */
export type FileBorders = Partial<
  Record<keyof typeof sides, { readonly kind: string; readonly color: string | null }>
>;

const fileKinds: ReadonlyMap<BorderStyleTypes, string> = new Map([
  [BorderStyleTypes.THIN, "thin"],
  [BorderStyleTypes.HAIR, "hair"],
  [BorderStyleTypes.DOTTED, "dotted"],
  [BorderStyleTypes.DASHED, "dashed"],
  [BorderStyleTypes.DASH_DOT, "dashDot"],
  [BorderStyleTypes.DASH_DOT_DOT, "dashDotDot"],
  [BorderStyleTypes.DOUBLE, "double"],
  [BorderStyleTypes.MEDIUM, "medium"],
  [BorderStyleTypes.MEDIUM_DASHED, "mediumDashed"],
  [BorderStyleTypes.MEDIUM_DASH_DOT, "mediumDashDot"],
  [BorderStyleTypes.MEDIUM_DASH_DOT_DOT, "mediumDashDotDot"],
  [BorderStyleTypes.SLANT_DASH_DOT, "slantDashDot"],
  [BorderStyleTypes.THICK, "thick"],
]);

/** Returns null for a cell without borders. */
export function fileBorders(borders: IStyleData["bd"]): FileBorders | null {
  if (!borders) return null;
  const found = Object.entries(sides).flatMap(([side, key]) => {
    const border = borders[key];
    const kind = border ? fileKinds.get(border.s) : undefined;
    return border && kind !== undefined ? [[side, { kind, color: border.cl.rgb ?? null }] as const] : [];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}
