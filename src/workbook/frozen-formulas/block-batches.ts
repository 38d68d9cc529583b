/**
 * Reads and writes formulas' cells in batches. A batch finds the named blocks, reads the cells and what their formulas refer
 * to, and then writes, all on the same state of the workbook. Nearby formulas of one block form one matrix with gaps between
 * them.
 */
import { isSameArea } from "../addresses";
import type { Anchor, AnchoredWrite, Area, CellRef, CellValue, CellState, NewCell, Workbook } from "../port";
import { bounds } from "../cell-areas";
import { byCell, mergedAreas, type ReferenceReader } from "./reference-reader";

/** Limits of one batch: below the 5 MB that Excel on the web accepts and answers. */
const charactersPerBatch = 2_500_000;
const cellsPerBatch = 20_000;

export type CellMatrix = readonly (readonly CellState[])[];

export interface FormulaArea {
  readonly anchor: Anchor;
  readonly block: Area;
  readonly area: Area;
  /** The formula as the area's first cell contains it. */
  readonly formula: string;
  readonly reader: ReferenceReader;
}

export interface Snapshot {
  readonly cells: CellMatrix;
  /** Digest of what the formula refers to, which identifies the row. */
  readonly refersTo: string;
  readonly contents: ReadonlyMap<string, CellValue>;
}

interface BatchItem extends FormulaArea {
  /** Null if the batch only reads the cells. */
  readonly newCells: readonly (readonly NewCell[])[] | null;
}

/**
 * Runs the batches. Calls `take` after each one, before the next. If a block was not where it was planned, the batch writes
 * nothing, and its snapshots are null.
 */
export async function exchangeInBatches<Item extends BatchItem>(
  workbook: Workbook,
  items: readonly Item[],
  take: (
    batch: readonly { readonly item: Item; readonly snapshot: Snapshot | null }[],
  ) => Promise<void> | void,
): Promise<void> {
  for (const batch of batchesOf(items)) await take(await exchangeBatch(workbook, batch));
}

async function exchangeBatch<Item extends BatchItem>(workbook: Workbook, batch: readonly Item[]) {
  const groups = groupNearby(batch);
  const areas = mergedAreas(batch.flatMap(({ reader }) => reader.areas));
  try {
    const { writes, beside } = await workbook.exchange({ writes: groups.map(writeOf), beside: areas });
    const contents = byCell(areas, beside);
    return groups.flatMap((group, index) =>
      group.items.map((item) => {
        const cells = partOf(writes[index] ?? [], group.area, item.area);
        return { item, snapshot: { cells, refersTo: item.reader.digestOf(contents), contents } };
      }),
    );
  } catch (error) {
    // If a block was deleted, moved or resized, or a sheet was renamed, Excel refuses the batch before it writes. After any
    // other failure, a part may have been written.
    const anchors = [...new Set(batch.map(({ anchor }) => anchor))];
    const now = await workbook.anchoredCells(anchors);
    const found = new Map(anchors.map((anchor, index) => [anchor, now[index]?.block]));
    if (batch.every(({ anchor, block }) => isSameArea(found.get(anchor) ?? null, block))) throw error;
    return batch.map((item) => ({ item, snapshot: null }));
  }
}

/** Extracts the area's cells from those of a larger area that begins at `whole`. */
export function partOf<T>(cells: readonly (readonly T[])[], whole: CellRef, area: Area): T[][] {
  const [row, col] = [area.row - whole.row, area.col - whole.col];
  return cells.slice(row, row + area.rows).map((line) => line.slice(col, col + area.cols));
}

interface Group<Item> extends Pick<FormulaArea, "anchor" | "block"> {
  readonly items: Item[];
  area: Area;
}

function groupNearby<Item extends BatchItem>(batch: readonly Item[]): readonly Group<Item>[] {
  const groups: Group<Item>[] = [];
  const lastOf = new Map<Anchor, Group<Item>>();
  for (const item of batch) {
    const { anchor, block, area } = item;
    const group = lastOf.get(anchor);
    const both = group === undefined ? area : bounds(group.area, area);
    // Formulas must fill at least about a quarter of a matrix.
    const mostCells = 4 * ((group?.items.length ?? 0) + 1) * area.rows * area.cols + 40;
    if (group !== undefined && both.rows * both.cols <= mostCells) {
      group.area = both;
      group.items.push(item);
    } else {
      const next = { anchor, block, area, items: [item] };
      groups.push(next);
      lastOf.set(anchor, next);
    }
  }
  return groups;
}

function writeOf({ anchor, block, area, items }: Group<BatchItem>): AnchoredWrite {
  const cells = Array.from({ length: area.rows }, () => Array<NewCell | null>(area.cols).fill(null));
  for (const item of items) {
    for (const [r, line] of (item.newCells ?? []).entries()) {
      cells[item.area.row - area.row + r]?.splice(item.area.col - area.col, line.length, ...line);
    }
  }
  return { anchor, block, area, cells };
}

function batchesOf<Item extends BatchItem>(items: readonly Item[]): readonly (readonly Item[])[] {
  const batches: Item[][] = [];
  let room = { cells: 0, characters: 0 };
  for (const item of items) {
    const cells = item.area.rows * item.area.cols;
    const characters = 2 * item.formula.length + 100 * cells;
    if (cells > room.cells || characters > room.characters) {
      batches.push([]);
      room = { cells: cellsPerBatch, characters: charactersPerBatch };
    }
    batches.at(-1)?.push(item);
    room = { cells: room.cells - cells, characters: room.characters - characters };
  }
  return batches;
}
