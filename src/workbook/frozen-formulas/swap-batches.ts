/** Which cells are written in one batch, and as which matrices: neighbours of one block together, with holes between. */
import type { Anchor, AnchoredWrite, Area, CellRef, HeldCell, NewCell } from "../port";
import type { ReferenceReader } from "./subjects";

/** In one batch: far below the 5 MB that Excel on the web takes and answers. */
const charactersAtOnce = 1_500_000;
const cellsAtOnce = 10_000;

export type Held = readonly (readonly HeldCell[])[];

/** One formula's area, and what it becomes. */
export interface Swap {
  readonly anchor: Anchor;
  /** The anchor's block when this was planned. */
  readonly block: Area;
  readonly area: Area;
  /** As it reads in the area's first cell; what it refers to tells the row. */
  readonly formula: string;
  /** Null where it isn't known. */
  readonly refersTo: string | null;
  /** @param at where the area is now */
  isExpected(held: Held, at: CellRef): boolean;
  readonly to: readonly (readonly NewCell[])[];
}

export interface Planned {
  readonly swap: Swap;
  readonly reader: ReferenceReader | undefined;
}

export function rowIn({ area, block }: Swap): number {
  return area.row - block.row;
}

export function colIn({ area, block }: Swap): number {
  return area.col - block.col;
}

/** Neighbours of one block that are written as one matrix, with nulls between them. */
interface Group {
  readonly members: Planned[];
  /** By the distance from the block's first cell. */
  row: number;
  col: number;
  rows: number;
  cols: number;
}

export function grouped(batch: readonly Planned[]): readonly Group[] {
  const groups: Group[] = [];
  const open = new Map<Anchor, Group>();
  for (const planned of batch) {
    const { swap } = planned;
    const own = { row: rowIn(swap), col: colIn(swap), rows: swap.area.rows, cols: swap.area.cols };
    const group = open.get(swap.anchor);
    const both = group === undefined ? own : bounds(group, own);
    if (
      group !== undefined &&
      both.rows * both.cols <= 4 * (group.members.length + 1) * own.rows * own.cols + 40
    ) {
      Object.assign(group, both);
      group.members.push(planned);
    } else {
      const next = { ...own, members: [planned] };
      groups.push(next);
      open.set(swap.anchor, next);
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

export function writeOf({ members, row, col, rows, cols }: Group): AnchoredWrite {
  const cells = Array.from({ length: rows }, () => Array<NewCell | null>(cols).fill(null));
  for (const { swap } of members) {
    for (const [r, line] of swap.to.entries()) {
      for (const [c, cell] of line.entries()) {
        const target = cells[rowIn(swap) - row + r];
        if (target !== undefined) target[colIn(swap) - col + c] = cell;
      }
    }
  }
  const [first] = members;
  const { anchor, block } = first?.swap ?? { anchor: { name: "", sheet: null }, block: { rows: 0, cols: 0 } };
  return { anchor, blockRows: block.rows, blockCols: block.cols, row, col, cells };
}

/** In the order of their rows, a few thousand cells each. */
export function batches(planned: readonly Planned[]): readonly (readonly Planned[])[] {
  const found: Planned[][] = [];
  let room = { cells: 0, characters: 0 };
  for (const each of planned) {
    const { area, formula } = each.swap;
    const cells = area.rows * area.cols;
    const characters = 2 * formula.length + 100 * cells;
    if (cells > room.cells || characters > room.characters) {
      found.push([]);
      room = { cells: cellsAtOnce, characters: charactersAtOnce };
    }
    found.at(-1)?.push(each);
    room = { cells: room.cells - cells, characters: room.characters - characters };
  }
  return found;
}
