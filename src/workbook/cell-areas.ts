/**
 * Combines many cells into few areas: a column of formulas becomes one area, and so does a table. One short address then covers
 * thousands of cells. Every cell is in exactly one area.
 */
import type { Area, CellRef } from "./port";

/** Returns areas of exactly these cells, sheet by sheet. The cells may be in any order, with duplicates. */
export function mergeCells(cells: Iterable<CellRef>): Area[] {
  return [...bySheet(cells)].flatMap(([sheet, sheetCells]) => mergedOnSheet(sheet, sheetCells));
}

function mergedOnSheet(sheet: string, cells: readonly CellRef[]): Area[] {
  const merged: Area[] = [];
  /** Areas that end in the column before the current one, keyed by their rows. */
  let open = new Map<string, Area>();
  let openCol = -1;
  for (const [col, spans] of spansByColumn(cells)) {
    const next = new Map<string, Area>();
    for (const { row, rows } of spans) {
      const key = `${row},${rows}`;
      const before = col === openCol + 1 ? open.get(key) : undefined;
      if (before) open.delete(key);
      next.set(key, before ? { ...before, cols: before.cols + 1 } : { sheet, row, col, rows, cols: 1 });
    }
    for (const area of open.values()) merged.push(area);
    open = next;
    openCol = col;
  }
  for (const area of open.values()) merged.push(area);
  return merged;
}

/** If a sheet needs more areas, INV also reads the cells between them. */
const mostAreas = 100;
/** An extra area costs about as much as reading this many more cells. */
const mostGap = 20;

/** Returns areas for reading. If cells are scattered, the areas include other cells too. No two areas overlap. */
export function areasAround(cells: Iterable<CellRef>): Area[] {
  return [...bySheet(cells)].flatMap(([sheet, sheetCells]) => {
    const exact = mergedOnSheet(sheet, sheetCells);
    return exact.length <= mostAreas ? exact : runsAround(sheetCells, mostGap);
  });
}

/** Returns parts of columns that contain these cells, with at most `gap` other cells between two of them. */
function runsAround(cells: Iterable<CellRef>, gap: number): Area[] {
  return [...bySheet(cells)].flatMap(([sheet, sheetCells]) =>
    spansByColumn(sheetCells, gap).flatMap(([col, spans]) =>
      spans.map(({ row, rows }) => ({ sheet, row, col, rows, cols: 1 })),
    ),
  );
}

export function bounds(one: Area, other: Area): Area {
  const row = Math.min(one.row, other.row);
  const col = Math.min(one.col, other.col);
  const rows = Math.max(one.row + one.rows, other.row + other.rows) - row;
  const cols = Math.max(one.col + one.cols, other.col + other.cols) - col;
  return { sheet: one.sheet, row, col, rows, cols };
}

export function visitCells<T>(
  { sheet, row, col }: CellRef,
  lines: readonly (readonly T[])[],
  visit: (content: T, ref: CellRef) => void,
): void {
  for (const [r, line] of lines.entries()) {
    for (const [c, content] of line.entries()) visit(content, { sheet, row: row + r, col: col + c });
  }
}

export function bySheet<Ref extends Pick<CellRef, "sheet">>(
  cells: Iterable<Ref>,
): ReadonlyMap<string, readonly Ref[]> {
  const sheets = new Map<string, Ref[]>();
  for (const ref of cells) {
    const refs = sheets.get(ref.sheet);
    if (refs) refs.push(ref);
    else sheets.set(ref.sheet, [ref]);
  }
  return sheets;
}

interface RowSpan {
  readonly row: number;
  readonly rows: number;
}

/** Returns spans of rows without a gap larger than `gap`, column by column from the left. */
function spansByColumn(cells: readonly CellRef[], gap = 0): [col: number, spans: RowSpan[]][] {
  const columns = new Map<number, number[]>();
  for (const { row, col } of cells) {
    const rows = columns.get(col);
    if (rows) rows.push(row);
    else columns.set(col, [row]);
  }
  return [...columns].sort(([a], [b]) => a - b).map(([col, rows]) => [col, spansOf(rows, gap)]);
}

function spansOf(rows: number[], gap: number): RowSpan[] {
  const spans: { row: number; rows: number }[] = [];
  for (const row of rows.sort((a, b) => a - b)) {
    const last = spans.at(-1);
    const end = last === undefined ? -1 : last.row + last.rows;
    if (last === undefined || row > end + gap) spans.push({ row, rows: 1 });
    else last.rows = Math.max(last.rows, row + 1 - last.row);
  }
  return spans;
}
