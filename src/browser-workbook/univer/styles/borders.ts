/** Translates cell borders between the names in files and the grid's numbers. */
import { BorderStyleTypes, type IStyleData } from "@univerjs/core";
import { type FileBorders, sides } from "../../open-xlsx/styles-part";

const gridKinds: Readonly<Record<string, BorderStyleTypes>> = {
  thin: BorderStyleTypes.THIN,
  hair: BorderStyleTypes.HAIR,
  dotted: BorderStyleTypes.DOTTED,
  dashed: BorderStyleTypes.DASHED,
  dashDot: BorderStyleTypes.DASH_DOT,
  dashDotDot: BorderStyleTypes.DASH_DOT_DOT,
  double: BorderStyleTypes.DOUBLE,
  medium: BorderStyleTypes.MEDIUM,
  mediumDashed: BorderStyleTypes.MEDIUM_DASHED,
  mediumDashDot: BorderStyleTypes.MEDIUM_DASH_DOT,
  mediumDashDotDot: BorderStyleTypes.MEDIUM_DASH_DOT_DOT,
  slantDashDot: BorderStyleTypes.SLANT_DASH_DOT,
  thick: BorderStyleTypes.THICK,
};
const fileKinds = new Map(Object.entries(gridKinds).map(([kind, number]) => [number, kind]));
const gridSides = { left: "l", right: "r", top: "t", bottom: "b" } as const;

export function gridBorders(borders: FileBorders): NonNullable<IStyleData["bd"]> {
  return Object.fromEntries(
    sides.flatMap((side) => {
      const border = borders[side];
      if (border === undefined) return [];
      const s = gridKinds[border.kind] ?? BorderStyleTypes.THIN;
      return [[gridSides[side], { s, cl: { rgb: border.color ?? "#000000" } }]];
    }),
  );
}

/** Returns null for a cell without borders. */
export function fileBorders(borders: IStyleData["bd"]): FileBorders | null {
  if (!borders) return null;
  const found = sides.flatMap((side) => {
    const border = borders[gridSides[side]];
    const kind = border ? fileKinds.get(border.s) : undefined;
    return border && kind !== undefined ? [[side, { kind, color: border.cl.rgb ?? null }] as const] : [];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
}
