/** Converts cell borders between the names in files and the grid's numbers. */
import { BorderStyleTypes, type IStyleData } from "@univerjs/core";
import type { FileStyle, Side } from "../../open-xlsx/styles-part";

type FileBorders = NonNullable<FileStyle["borders"]>;

const borderKinds: Readonly<Record<string, BorderStyleTypes>> = {
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
const sideKeys: readonly (readonly [Side, "l" | "r" | "t" | "b"])[] = [
  ["left", "l"],
  ["right", "r"],
  ["top", "t"],
  ["bottom", "b"],
];

export function gridBorders(borders: FileBorders): NonNullable<IStyleData["bd"]> {
  return Object.fromEntries(
    sideKeys.flatMap(([side, key]) => {
      const border = borders[side];
      if (border === undefined) return [];
      const kind = borderKinds[border.style] ?? BorderStyleTypes.THIN;
      return [[key, { s: kind, cl: { rgb: border.color ?? "#000000" } }]];
    }),
  );
}

export function fileBorders(borders: IStyleData["bd"]): FileBorders | undefined {
  const found = sideKeys.flatMap(([side, key]) => {
    const border = borders?.[key];
    const style = Object.entries(borderKinds).find(([, kind]) => kind === border?.s)?.[0];
    return border && style !== undefined ? [[side, { style, color: border.cl.rgb ?? null }] as const] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
