/**
 * The formats that frozen cells are given in place of those their values brought, and how a thaw takes them away
 * again: where the cell still has that very format, the formula's value brings it from then on.
 */
import { cellKey, cellsOf } from "../addresses";
import { type CellWithFormat, giveFormats } from "../brought-formats";
import type { Area, Workbook } from "../port";
import { readAreas } from "./blocks";

/** The cells of the areas that have one. */
export function formattedCells(
  areas: readonly Area[],
  formats: ReadonlyMap<string, string>,
): readonly CellWithFormat[] {
  if (formats.size === 0) return [];
  return areas.flatMap(cellsOf).flatMap((ref) => {
    const numberFormat = formats.get(cellKey(ref));
    return numberFormat === undefined ? [] : [{ ref, numberFormat }];
  });
}

export interface GivenFormat {
  readonly area: Area;
  /** Empty where none was given. */
  readonly numberFormat: string;
}

export async function withdrawFormats(workbook: Workbook, all: readonly GivenFormat[]): Promise<void> {
  const given = all.filter(({ numberFormat }) => numberFormat !== "");
  const now = await readAreas(
    workbook,
    given.map(({ area }) => area),
    "numberFormats",
  );
  const cells = given.flatMap(({ area, numberFormat }) =>
    cellsOf(area).filter(
      ({ row, col }) => now.get(cellKey(area))?.[row - area.row]?.[col - area.col] === numberFormat,
    ),
  );
  await giveFormats(
    workbook,
    cells.map((ref) => ({ ref, numberFormat: "General" })),
  );
}
