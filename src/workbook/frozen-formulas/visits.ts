/**
 * One batch over named blocks: finds them, reads some cells and what their formulas refer to, and writes into them, all at
 * one moment of the workbook. Neighbours of one block are read and written as one matrix, with holes between.
 */
import { isSameArea } from "../addresses";
import type { Anchor, AnchoredWrite, Area, CellRef, CellValue, HeldCell, NewCell, Workbook } from "../port";
import { bounds } from "../cell-areas";
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
  /** Digest of what the formula refers to, which tells the row. */
  readonly refersTo: string;
  readonly contents: ReadonlyMap<string, CellValue>;
}

interface Visit extends Spot {
  /** What the cells become; null where they are only read. */
  readonly to: readonly (readonly NewCell[])[] | null;
}

/**
 * In the order given; null for all of a batch in which a block wasn't where it was planned, of which nothing was
 * written. Each batch is handed over before the next one.
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
        const held = part(writes[index] ?? [], group.area, each.area);
        return { visit: each, seen: { held, refersTo: each.reader.digestOf(contents), contents } };
      }),
    );
  } catch (error) {
    // A batch fails before it writes where a block is gone, moved or resized, or a sheet renamed. Of another failure a
    // part may be there.
    const anchors = [...new Set(batch.map(({ anchor }) => anchor))];
    const now = await workbook.anchoredCells(anchors);
    const found = new Map(anchors.map((anchor, index) => [anchor, now[index]?.block]));
    if (batch.every(({ anchor, block }) => isSameArea(found.get(anchor) ?? null, block))) throw error;
    return batch.map((each) => ({ visit: each, seen: null }));
  }
}

/** An area's cells out of those of a larger one. */
export function part<T>(cells: readonly (readonly T[])[], whole: CellRef, area: Area): T[][] {
  const [row, col] = [area.row - whole.row, area.col - whole.col];
  return cells.slice(row, row + area.rows).map((line) => line.slice(col, col + area.cols));
}

interface Group<V> extends Omit<Spot, "formula" | "reader"> {
  readonly members: V[];
  area: Area;
}

function grouped<V extends Visit>(batch: readonly V[]): readonly Group<V>[] {
  const groups: Group<V>[] = [];
  const open = new Map<Anchor, Group<V>>();
  for (const each of batch) {
    const { anchor, block, area } = each;
    const group = open.get(anchor);
    const both = group === undefined ? area : bounds(group.area, area);
    if (
      group !== undefined &&
      both.rows * both.cols <= 4 * (group.members.length + 1) * area.rows * area.cols + 40
    ) {
      group.area = both;
      group.members.push(each);
    } else {
      const next = { anchor, block, area, members: [each] };
      groups.push(next);
      open.set(anchor, next);
    }
  }
  return groups;
}

function writeOf({ anchor, block, area, members }: Group<Visit>): AnchoredWrite {
  const cells = Array.from({ length: area.rows }, () => Array<NewCell | null>(area.cols).fill(null));
  for (const each of members) {
    for (const [r, line] of (each.to ?? []).entries()) {
      cells[each.area.row - area.row + r]?.splice(each.area.col - area.col, line.length, ...line);
    }
  }
  return { anchor, block, area, cells };
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
