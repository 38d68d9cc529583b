/**
 * Cells that a thaw leaves stay as they were: in a Table, Excel fills a column's formula over what is in its other
 * cells when one of them gets a formula (office-js issues 5909, 6745 and 2093). So the other cells of these columns are
 * read before and after, and what was filled is put back, in whichever row it is by then.
 */
import { cellKey, cellsOf, contains } from "../addresses";
import type { Area, Workbook } from "../port";
import { nameBlocks } from "./anchors";
import { movedFormulas } from "./moved-formula";
import { referenceReader, type Surroundings } from "./referred-cells";
import { type Damage, repair } from "./swap";
import { type Seen, type Spot, visit } from "./visits";

interface Tools {
  readonly workbook: Workbook;
  readonly around: Surroundings;
  newName(): string;
}

/** A cell that Excel may fill, as it was. */
export interface Watched {
  /** With the formula that it may be filled with. */
  readonly spot: Spot & { readonly to: null };
  readonly before: Seen;
}

interface Target {
  readonly area: Area;
  readonly formula: string;
}

/** @param targets what is about to get formulas */
export async function watchTableColumns(
  { workbook, around, newName }: Tools,
  targets: readonly Target[],
): Promise<readonly Watched[]> {
  const columns = new Map<string, { readonly area: Area; readonly target: Target }>();
  for (const { area: table } of targets.length === 0 ? [] : await workbook.tables()) {
    for (const target of targets.filter(({ area }) => contains(table, area))) {
      const { col } = target.area;
      columns.set(`${col} ${cellKey(table)}`, { area: { ...table, col, cols: 1 }, target });
    }
  }
  const areas = [...columns.values()].map(({ area }) => area);
  const blocks = await nameBlocks(workbook, areas, newName);
  const written = new Set(targets.map(({ area }) => cellKey(area)));
  const spots = [...columns.values()].flatMap(({ area, target: { formula, area: from } }, index) => {
    const block = blocks[index];
    const others = block === undefined ? [] : cellsOf(area).filter((ref) => !written.has(cellKey(ref)));
    return others.flatMap((ref): Watched["spot"][] => {
      if (block === undefined) return [];
      const [same = formula, moved = same] = movedFormulas(formula, from, ref);
      const reader = referenceReader({ ...ref, formula: moved }, around);
      return [{ ...block, area: { ...ref, rows: 1, cols: 1 }, formula: moved, reader, to: null }];
    });
  });
  const watched: Watched[] = [];
  await visit(workbook, spots, (batch) => {
    for (const { visit: spot, seen } of batch) if (seen !== null) watched.push({ spot, before: seen });
  });
  return watched;
}

/** Puts back what now has a formula that it didn't have. */
export async function restoreTableColumns(
  { workbook, around }: Tools,
  watched: readonly Watched[],
): Promise<void> {
  const damages: Damage[] = [];
  const visits = watched.map(({ spot, before }) => ({ ...spot, before }));
  await visit(workbook, visits, (batch) => {
    for (const { visit: spot, seen } of batch) {
      const { before } = spot;
      const now = seen?.held[0]?.[0]?.formula ?? null;
      const isSameRow = seen?.refersTo === before.refersTo;
      if (isSameRow && (now === null || now === before.held[0]?.[0]?.formula)) continue;
      const formula = (isSameRow ? now : null) ?? spot.formula;
      const to = [[{ formula, content: null, numberFormat: null }]];
      damages.push({ ...before, swap: { ...spot, formula, to } });
    }
  });
  await repair({ workbook, around }, damages);
}
