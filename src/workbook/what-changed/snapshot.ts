/**
 * Reads what the cells of a refresh show, as few blocks: its formulas' cells, the cells that these fill, and the formula to
 * which each cell belongs. Above a limit it reads nothing, because the comparison would cost more than it is worth.
 */
import type { Clock } from "../../engine/clock";
import { sheetCols } from "../../formula/columns";
import { areasAround, bySheet } from "../cell-areas";
import { inTimeSlices } from "../in-time-slices";
import type { Area, CellContent, CellRef, FormulaExtent, Workbook } from "../port";
import type { Target } from "../refresh/targets";

/** Excel sends about 8 MB for this many places before and after. */
const mostPlaces = 200_000;

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
  /** Empty if there are too many places. */
  readonly blocks: readonly PlaceBlock[];
  readonly isTooLarge: boolean;
}

export async function takeSnapshot(
  { workbook, clock }: { readonly workbook: Workbook; readonly clock: Clock },
  targets: readonly Target[],
): Promise<Snapshot> {
  const tooLarge = { targets: [], blocks: [], isTooLarge: true };
  if (targets.length > mostPlaces) return tooLarge;
  const extents = await workbook.extents(targets.map(({ ref }) => ref));
  if (extents.reduce((sum, { rows, cols }) => sum + rows * cols, 0) > mostPlaces) return tooLarge;
  const areas = await layOut(clock, extents);
  const cells = await workbook.contentsOf(areas.map(({ area }) => area));
  const blocks = areas.map((block, index) => ({ ...block, cells: cells[index] ?? [] }));
  return { targets, blocks, isTooLarge: false };
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
    const indexes = new Map(refs.map(({ row, col, index }) => [row * sheetCols + col, index]));
    await inTimeSlices(clock, areasAround(refs), (area) => {
      const owners = Int32Array.from({ length: area.rows * area.cols }, (_, at) => {
        const row = area.row + Math.floor(at / area.cols);
        return indexes.get(row * sheetCols + area.col + (at % area.cols)) ?? -1;
      });
      owned.push({ area, owners, isSpilled: false });
    });
  }
  return owned;
}
