/**
 * One batch over named blocks: finds them, reads some cells and what their formulas refer to, and writes into them, all at
 * one moment of the workbook. Neighbours of one block are read and written as one matrix, with holes between.
 */
import type { Anchor, AnchoredWrite, Area, CellRef, CellValue, HeldCell, NewCell, Workbook } from "../port";
import { byCell, mergedAreas, type ReferenceReader } from "./referred-cells";

/** In one batch: below the 5 MB that Excel on the web takes and answers. */
const charactersAtOnce = 2_500_000;
const cellsAtOnce = 20_000;

export type Held = readonly (readonly HeldCell[])[];

/** A formula's area in a named block. */
export interface Spot {
  readonly anchor: Anchor;
  /** The anchor's block when this was planned. */
  readonly block: Area;
  readonly area: Area;
  /** As it reads in the area's first cell. */
  readonly formula: string;
  /** Of what the formula refers to. */
  readonly reader: ReferenceReader;
}

/** What the workbook held in the moment of the batch, right before it was written to. */
export interface Seen {
  readonly held: Held;
  readonly at: Area;
  readonly block: Area;
  /** Digest of what the formula refers to, which tells the row; null where the block has moved meanwhile. */
  readonly refersTo: string | null;
  readonly contents: ReadonlyMap<string, CellValue>;
}

interface Visit extends Spot {
  /** What the cells become; null where they are only read. */
  readonly to: readonly (readonly NewCell[])[] | null;
}

/**
 * In the order given; null for all of a batch in which a block was gone or resized, of which nothing was written. Each
 * batch is handed over before the next one.
 */
export async function visit<V extends Visit>(
  workbook: Workbook,
  visits: readonly V[],
  take: (batch: readonly { readonly visit: V; readonly seen: Seen | null }[]) => Promise<void> | void,
): Promise<void> {
  for (const batch of batches(visits)) await take(await visitOnce(workbook, batch));
}

async function visitOnce<V extends Visit>(workbook: Workbook, batch: readonly V[]) {
  const groups = grouped(batch);
  const areas = mergedAreas(batch.flatMap(({ reader }) => reader.areas));
  try {
    const { writes, beside } = await workbook.exchange({ writes: groups.map(writeOf), beside: areas });
    const contents = byCell(areas, beside);
    return groups.flatMap((group, index) =>
      group.members.map((each) => {
        const { block, cells } = writes[index] ?? { block: each.block, cells: [] };
        const at = {
          ...each.area,
          sheet: block.sheet,
          row: block.row + rowIn(each),
          col: block.col + colIn(each),
        };
        const held = part(cells, {
          ...each.area,
          row: rowIn(each) - group.row,
          col: colIn(each) - group.col,
        });
        const refersTo = isSamePlace(at, each.area) ? each.reader.digestOf(contents) : null;
        return { visit: each, seen: { held, at, block, refersTo, contents } };
      }),
    );
  } catch (error) {
    // A batch fails before it writes where a block is gone or was resized, or a sheet renamed. Of another failure a part
    // may be there.
    const anchors = [...new Set(batch.map(({ anchor }) => anchor))];
    const now = await workbook.anchoredCells(anchors);
    const found = new Map(anchors.map((anchor, index) => [anchor, now[index]?.block]));
    const isSame = (now: Area | undefined, then: Area): boolean =>
      isSameSize(now, then) && now?.sheet === then.sheet;
    if (batch.every(({ anchor, block }) => isSame(found.get(anchor), block))) throw error;
    return batch.map((each) => ({ visit: each, seen: null }));
  }
}

export function isSamePlace(one: CellRef, other: CellRef): boolean {
  return one.sheet === other.sheet && one.row === other.row && one.col === other.col;
}

export function isSameSize(one: Area | undefined, other: Area): boolean {
  return one?.rows === other.rows && one.cols === other.cols;
}

/** The rectangle's cells out of a matrix. */
export function part<T>(
  cells: readonly (readonly T[])[],
  { row, col, rows, cols }: Omit<Area, "sheet">,
): T[][] {
  return cells.slice(row, row + rows).map((line) => line.slice(col, col + cols));
}

function rowIn({ area, block }: Spot): number {
  return area.row - block.row;
}

function colIn({ area, block }: Spot): number {
  return area.col - block.col;
}

interface Group<V> {
  readonly members: V[];
  /** By the distance from the block's first cell. */
  row: number;
  col: number;
  rows: number;
  cols: number;
}

function grouped<V extends Visit>(batch: readonly V[]): readonly Group<V>[] {
  const groups: Group<V>[] = [];
  const open = new Map<Anchor, Group<V>>();
  for (const each of batch) {
    const own = { row: rowIn(each), col: colIn(each), rows: each.area.rows, cols: each.area.cols };
    const group = open.get(each.anchor);
    const both = group === undefined ? own : bounds(group, own);
    if (
      group !== undefined &&
      both.rows * both.cols <= 4 * (group.members.length + 1) * own.rows * own.cols + 40
    ) {
      Object.assign(group, both);
      group.members.push(each);
    } else {
      const next = { ...own, members: [each] };
      groups.push(next);
      open.set(each.anchor, next);
    }
  }
  return groups;
}

type Rectangle = Omit<Area, "sheet">;

function bounds(one: Rectangle, other: Rectangle): Rectangle {
  const row = Math.min(one.row, other.row);
  const col = Math.min(one.col, other.col);
  return {
    row,
    col,
    rows: Math.max(one.row + one.rows, other.row + other.rows) - row,
    cols: Math.max(one.col + one.cols, other.col + other.cols) - col,
  };
}

function writeOf({ members, row, col, rows, cols }: Group<Visit>): AnchoredWrite {
  const cells = Array.from({ length: rows }, () => Array<NewCell | null>(cols).fill(null));
  for (const each of members) {
    for (const [r, line] of (each.to ?? []).entries()) {
      for (const [c, cell] of line.entries()) {
        const target = cells[rowIn(each) - row + r];
        if (target !== undefined) target[colIn(each) - col + c] = cell;
      }
    }
  }
  const [first] = members;
  const { anchor, block } = first ?? { anchor: { name: "", sheet: null }, block: { rows: 0, cols: 0 } };
  return { anchor, blockRows: block.rows, blockCols: block.cols, row, col, cells };
}

function batches<V extends Visit>(visits: readonly V[]): readonly (readonly V[])[] {
  const found: V[][] = [];
  let room = { cells: 0, characters: 0 };
  for (const each of visits) {
    const cells = each.area.rows * each.area.cols;
    const characters = 2 * each.formula.length + 100 * cells;
    if (cells > room.cells || characters > room.characters) {
      found.push([]);
      room = { cells: cellsAtOnce, characters: charactersAtOnce };
    }
    found.at(-1)?.push(each);
    room = { cells: room.cells - cells, characters: room.characters - characters };
  }
  return found;
}
