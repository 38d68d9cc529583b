/**
 * Reads what the cells of a refresh show, as few blocks: its formulas' cells, the cells that these fill, and the formula to
 * which each cell belongs. Above a limit, it reads only the current sheet, so that the comparison never costs more than it is
 * worth.
 */
import type { Clock } from "../../engine/clock";
import { areasAround, bySheet } from "../cell-areas";
import { inTimeSlices } from "../in-time-slices";
import type { Area, CellContent, CellRef, FormulaExtent, Workbook } from "../port";
import type { Target } from "../refresh/targets";
import { selectedAreas } from "../selected-areas";

/** Excel sends about 8 MB for this many places before and after. */
export const mostPlaces = 200_000;

export interface PlaceBlock {
  readonly area: Area;
  /** The index of each cell's target, row by row; -1 for a cell between targets. */
  readonly owners: Int32Array;
  /** Whether one formula has filled the whole area. */
  readonly isSpilled: boolean;
  readonly cells: CellContent[][];
}

export interface Snapshot {
  readonly targets: readonly Target[];
  readonly blocks: readonly PlaceBlock[];
  /** The only sheet that is compared, if there are too many places; otherwise null. */
  readonly onlySheet: string | null;
  /** Whether that sheet has too many places too, so that only its first ones are compared. */
  readonly isCut: boolean;
}

export async function takeSnapshot(
  { workbook, clock }: { readonly workbook: Workbook; readonly clock: Clock },
  all: readonly Target[],
): Promise<Snapshot> {
  let targets = all;
  let onlySheet: string | null = null;
  let extents = all.length > mostPlaces ? null : await workbook.extents(all.map(({ ref }) => ref));
  if (extents === null || placesIn(extents) > mostPlaces) {
    const [{ sheet }] = await selectedAreas(workbook, clock);
    onlySheet = sheet;
    targets = all.filter(({ ref }) => ref.sheet === sheet).slice(0, mostPlaces);
    extents = await workbook.extents(targets.map(({ ref }) => ref));
  }
  const wanted = withinBound(extents);
  const isCut = onlySheet !== null && (wanted < extents.length || targets.length === mostPlaces);
  targets = targets.slice(0, wanted);
  extents = extents.slice(0, wanted);
  const areas = await layOut(clock, extents);
  const cells = await workbook.contentsOf(areas.map(({ area }) => area));
  const blocks = areas.map((block, index) => ({ ...block, cells: cells[index] ?? [] }));
  return { targets, blocks, onlySheet, isCut };
}

function placesIn(extents: readonly FormulaExtent[]): number {
  return extents.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
}

/** Returns how many of the first formulas stay within the limit. */
function withinBound(extents: readonly FormulaExtent[]): number {
  let places = 0;
  const tooMany = extents.findIndex(({ rows, cols }) => (places += rows * cols) > mostPlaces);
  return tooMany < 0 ? extents.length : tooMany;
}

type Owned = Omit<PlaceBlock, "cells">;

async function layOut(clock: Clock, extents: readonly FormulaExtent[]): Promise<Owned[]> {
  const owned: Owned[] = [];
  const singles: (CellRef & { readonly index: number })[] = [];
  await inTimeSlices(clock, [...extents.entries()], ([index, { sheet, row, col, rows, cols }]) => {
    if (rows === 1 && cols === 1) singles.push({ sheet, row, col, index });
    else {
      const owners = new Int32Array(rows * cols).fill(index);
      owned.push({ area: { sheet, row, col, rows, cols }, owners, isSpilled: true });
    }
  });
  for (const refs of bySheet(singles).values()) {
    const blocks = areasAround(refs).map((area) => ({
      area,
      owners: new Int32Array(area.rows * area.cols).fill(-1),
      isSpilled: false,
    }));
    const areaAt = areasByColumn(blocks.map(({ area }) => area));
    await inTimeSlices(clock, refs, ({ row, col, index }) => {
      const own = blocks[areaAt({ row, col })];
      if (own) own.owners[(row - own.area.row) * own.area.cols + col - own.area.col] = index;
    });
    owned.push(...blocks);
  }
  return owned;
}

/** Returns a look-up of the area that contains a cell, among areas of one sheet that don't overlap. */
function areasByColumn(areas: readonly Area[]): (cell: Pick<CellRef, "row" | "col">) => number {
  const columns = new Map<number, number[]>();
  for (const [index, { col, cols }] of areas.entries()) {
    for (let at = col; at < col + cols; at += 1) {
      const own = columns.get(at);
      if (own) own.push(index);
      else columns.set(at, [index]);
    }
  }
  const rowOf = (index: number | undefined): number => areas[index ?? 0]?.row ?? 0;
  for (const own of columns.values()) own.sort((a, b) => rowOf(a) - rowOf(b));
  return ({ row, col }) => {
    const own = columns.get(col) ?? [];
    let low = 0;
    for (let high = own.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if (rowOf(own[middle]) > row) high = middle - 1;
      else low = middle;
    }
    return own[low] ?? -1;
  };
}
