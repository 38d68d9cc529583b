/**
 * Many cells as few rectangles: columns of formulas become one area each, tables one area, so that
 * thousands of cells are named in one short address. Every cell is in exactly one area, and but for reading
 * no area holds a cell that was not given.
 */
import type { CellRef } from "./port";

export interface Block {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** Cells of one sheet, in any order, repeated or not. */
export function mergeCells(cells: readonly CellRef[]): readonly Block[] {
  const merged: Block[] = [];
  /** Areas that reach up to the column before the one being read, by their rows. */
  let open = new Map<string, Block>();
  let openCol = -1;
  for (const [col, runs] of runsByColumn(cells)) {
    const next = new Map<string, Block>();
    for (const { row, rows } of runs) {
      const key = `${row},${rows}`;
      const before = col === openCol + 1 ? open.get(key) : undefined;
      if (before) open.delete(key);
      next.set(key, before ? { ...before, cols: before.cols + 1 } : { row, col, rows, cols: 1 });
    }
    merged.push(...open.values());
    open = next;
    openCol = col;
  }
  merged.push(...open.values());
  return merged;
}

/** Naming an area costs about as much as reading so many cells more. */
const mostGap = 20;

/**
 * Few areas that hold these cells of one sheet, with what lies between them where they are scattered: for reading.
 * No two of them overlap.
 */
export function areasAround(cells: readonly CellRef[], most = 100): readonly Block[] {
  const exact = mergeCells(cells);
  if (exact.length <= most) return exact;
  return runsAround(cells, mostGap);
}

/** Parts of columns around these cells of one sheet, with at most so many others between two of them. */
export function runsAround(cells: readonly CellRef[], gap: number): readonly Block[] {
  return runsByColumn(cells, gap).flatMap(([col, runs]) =>
    runs.map(({ row, rows }) => ({ row, col, rows, cols: 1 })),
  );
}

export function bySheet<Ref extends CellRef>(cells: Iterable<Ref>): ReadonlyMap<string, readonly Ref[]> {
  const sheets = new Map<string, Ref[]>();
  for (const ref of cells) {
    const refs = sheets.get(ref.sheet);
    if (refs) refs.push(ref);
    else sheets.set(ref.sheet, [ref]);
  }
  return sheets;
}

interface Run {
  readonly row: number;
  readonly rows: number;
}

/** Runs of rows without a larger gap, column by column from the left. */
function runsByColumn(cells: readonly CellRef[], gap = 0): [col: number, runs: Run[]][] {
  const columns = new Map<number, number[]>();
  for (const { row, col } of cells) {
    const rows = columns.get(col);
    if (rows) rows.push(row);
    else columns.set(col, [row]);
  }
  return [...columns].sort(([a], [b]) => a - b).map(([col, rows]) => [col, runsOf(rows, gap)]);
}

function runsOf(rows: number[], gap: number): Run[] {
  const runs: { row: number; rows: number }[] = [];
  for (const row of rows.sort((a, b) => a - b)) {
    const last = runs.at(-1);
    const end = last === undefined ? -1 : last.row + last.rows;
    if (last === undefined || row > end + gap) runs.push({ row, rows: 1 });
    else last.rows = Math.max(last.rows, row + 1 - last.row);
  }
  return runs;
}
