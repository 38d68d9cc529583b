/**
 * Protects the other cells of a Table's column: if one cell gets a formula, Excel fills it over the contents of the column's
 * other cells (office-js 5909, 6745 and 2093). So INV reads those cells before and after, and restores what Excel filled, in
 * whichever row it is by then.
 */
import { cellKey, cellsOf, contains } from "../addresses";
import type { Area, Workbook } from "../port";
import { namePrefix, nameBlocks, randomWord } from "./anchors";
import { movedFormulas } from "./moved-formula";
import { readBook, referenceReader, type Surroundings } from "./reference-reader";
import { exchangeInBatches, type FormulaArea, type Snapshot } from "./block-batches";
import { type Overwritten, restoreCells } from "./restore-cells";

interface Tools {
  readonly workbook: Workbook;
  readonly around: Surroundings;
  newName(): string;
}

/** The original state of a cell that Excel may fill. */
interface Watched {
  /** Includes the formula that Excel may fill in. */
  readonly cell: FormulaArea & { readonly newCells: null };
  readonly before: Snapshot;
}

interface Target {
  readonly area: Area;
  readonly formula: string;
}

/** Protects the other cells of Tables' columns while `write` enters formulas into the targets. */
export async function keepTableColumns<T>(
  workbook: Workbook,
  { targets, random }: { readonly targets: readonly Target[]; random(): number },
  write: () => Promise<T>,
): Promise<T> {
  const tables = await workbook.tables();
  if (!tables.some(({ area: table }) => targets.some(({ area }) => contains(table, area)))) return write();
  const formulas = targets.map(({ formula }) => formula);
  const around = { ...(await readBook(workbook, formulas)), isFrozen: () => false };
  const names: string[] = [];
  const prefix = `${namePrefix}_${randomWord(random)}`;
  const newName = (): string => {
    const name = `${prefix}_${names.length + 1}`;
    names.push(name);
    return name;
  };
  const tools = { workbook, around, newName };
  try {
    const watched = await watchTableColumns(tools, targets);
    const result = await write();
    await restoreTableColumns(tools, watched);
    return result;
  } finally {
    await workbook.deleteNames(names);
  }
}

/** @param targets the cells that are about to get formulas */
async function watchTableColumns(
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
  const cells = [...columns.values()].flatMap(({ area, target: { formula, area: from } }, index) => {
    const block = blocks[index];
    const others = block === undefined ? [] : cellsOf(area).filter((ref) => !written.has(cellKey(ref)));
    return others.flatMap((ref): Watched["cell"][] => {
      if (block === undefined) return [];
      const [same = formula, moved = same] = movedFormulas(formula, from, ref);
      const reader = referenceReader({ ...ref, formula: moved }, around);
      return [{ ...block, area: { ...ref, rows: 1, cols: 1 }, formula: moved, reader, newCells: null }];
    });
  });
  const watched: Watched[] = [];
  await exchangeInBatches(workbook, cells, (batch) => {
    for (const { item: cell, snapshot } of batch) {
      if (snapshot !== null) watched.push({ cell, before: snapshot });
    }
  });
  return watched;
}

async function restoreTableColumns({ workbook, around }: Tools, watched: readonly Watched[]): Promise<void> {
  const filled: Overwritten[] = [];
  const cells = watched.map(({ cell, before }) => ({ ...cell, before }));
  await exchangeInBatches(workbook, cells, (batch) => {
    for (const { item, snapshot } of batch) {
      const { before } = item;
      const now = snapshot?.cells[0]?.[0]?.formula ?? null;
      const isSameRow = snapshot?.refersTo === before.refersTo;
      if (isSameRow && (now === null || now === before.cells[0]?.[0]?.formula)) continue;
      const formula = (isSameRow ? now : null) ?? item.formula;
      const newCells = [[{ formula, content: null, numberFormat: null }]];
      filled.push({ ...before, replacement: { ...item, formula, newCells } });
    }
  });
  await restoreCells({ workbook, around }, filled);
}
