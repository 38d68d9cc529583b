/**
 * Writing where other people edit meanwhile. Every write goes through an anchor, in a batch that also reads what the
 * cells held right before it and what their formulas refer to. Where that isn't what the write was planned for,
 * somebody was faster: what they had is put back, but only where the cell still contains what INV wrote.
 */
import { isError } from "../cell-content";
import type { AnchoredCells, Area, CellRef, HeldCell, NewCell, Workbook } from "../port";
import { digest } from "./digest";
import { movedFormulas } from "./moved-formula";
import { byCell, mergedAreas, referenceReaders } from "./subjects";
import { batches, colIn, grouped, type Held, type Planned, rowIn, type Swap, writeOf } from "./swap-batches";

export interface Undone {
  readonly swap: Swap;
  /** What the cells held, which was put back. Null where nothing was written. */
  readonly held: Held | null;
}

export interface SwapResult {
  readonly done: readonly Swap[];
  readonly undone: readonly Undone[];
  /** Cells that INV wrote over and could not find again to put back what they held. */
  readonly lost: readonly CellRef[];
}

export interface SwapTools {
  readonly workbook: Workbook;
  isFrozen(ref: CellRef): boolean;
}

const mostRepairs = 6;

export async function swapCells(tools: SwapTools, swaps: readonly Swap[], repairs = 0): Promise<SwapResult> {
  const formulas = swaps.map(({ area, formula }) => ({ ...area, formula }));
  const readers = await referenceReaders(tools.workbook, formulas, tools.isFrozen);
  const planned = swaps.map((swap, index): Planned => ({ swap, reader: readers[index] }));
  const done: Swap[] = [];
  const undone: Undone[] = [];
  const lost: CellRef[] = [];
  for (const batch of batches(planned)) {
    const outcomes = await exchange(tools.workbook, batch);
    const damages: Damage[] = [];
    for (const { swap, written, isDone } of outcomes) {
      if (isDone) done.push(swap);
      else undone.push({ swap, held: written?.held ?? null });
      if (!isDone && written !== null) damages.push({ swap, ...written });
    }
    lost.push(...(await repair(tools, damages, repairs)));
  }
  return { done, undone, lost };
}

interface Outcome {
  readonly swap: Swap;
  readonly isDone: boolean;
  /** Null where nothing was written, as far as can be told. */
  readonly written: Omit<Damage, "swap"> | null;
}

/** Something that INV wrote over. */
interface Damage {
  readonly swap: Swap;
  readonly held: Held;
  /** Where it was then, and its block. */
  readonly at: Area;
  readonly block: Area;
  /** What tells the row; null where it isn't known. */
  readonly refersTo: string | null;
}

async function exchange(workbook: Workbook, batch: readonly Planned[]): Promise<readonly Outcome[]> {
  const groups = grouped(batch);
  const areas = mergedAreas(batch.flatMap(({ reader }) => reader?.areas ?? []));
  try {
    const { writes, beside } = await workbook.exchange({ writes: groups.map(writeOf), beside: areas });
    const contents = byCell(areas, beside);
    return groups.flatMap((group, index) =>
      group.members.map(({ swap, reader }): Outcome => {
        const { block, cells } = writes[index] ?? { block: swap.block, cells: [] };
        const held = part(cells, {
          ...swap.area,
          row: rowIn(swap) - group.row,
          col: colIn(swap) - group.col,
        });
        const at = {
          ...swap.area,
          sheet: block.sheet,
          row: block.row + rowIn(swap),
          col: block.col + colIn(swap),
        };
        const isMoved = !isSamePlace(at, swap.area);
        const refersTo = isMoved ? null : (reader?.digestOf(contents) ?? null);
        const isSameRow = isMoved || swap.refersTo === null || swap.refersTo === refersTo;
        return {
          swap,
          isDone: isSameRow && swap.isExpected(held, at),
          written: { held, at, block, refersTo },
        };
      }),
    );
  } catch (error) {
    return readBack(workbook, batch, error);
  }
}

/** A batch fails before it writes where a block is gone or was resized. Of another failure a part may be there. */
async function readBack(
  workbook: Workbook,
  batch: readonly Planned[],
  error: unknown,
): Promise<readonly Outcome[]> {
  const anchors = [...new Set(batch.map(({ swap }) => swap.anchor))];
  const blocks = await workbook.anchoredCells(anchors);
  const found = new Map(anchors.map((anchor, index) => [anchor, blocks[index] ?? null]));
  const isExplained = batch.some(({ swap }) => !isSameSize(found.get(swap.anchor)?.block, swap.block));
  if (!isExplained) throw error;
  return batch.map(({ swap }) => ({ swap, isDone: false, written: null }));
}

/** Returns the cells that could not be found again. */
async function repair(
  tools: SwapTools,
  damages: readonly Damage[],
  repairs: number,
): Promise<readonly CellRef[]> {
  if (damages.length === 0) return [];
  if (repairs >= mostRepairs) return damages.map(({ at }) => at);
  const anchors = [...new Set(damages.map(({ swap }) => swap.anchor))];
  const blocks = await tools.workbook.anchoredCells(anchors);
  const found = new Map(anchors.map((anchor, index) => [anchor, blocks[index] ?? null]));
  const ways = damages.flatMap((damage) => waysBack(damage, found.get(damage.swap.anchor) ?? null));
  const readers = await referenceReaders(
    tools.workbook,
    ways.map(({ area, formula }) => ({ ...area, formula })),
    tools.isFrozen,
  );
  const areas = mergedAreas(readers.flatMap((reader) => reader.areas));
  const { beside } = await tools.workbook.exchange({ writes: [], beside: areas });
  const contents = byCell(areas, beside);
  const back = new Map<Damage, Swap>();
  for (const [index, way] of ways.entries()) {
    const { damage, ...swap } = way;
    const isSameRow = damage.refersTo === null || damage.refersTo === readers[index]?.digestOf(contents);
    if (isSameRow && !back.has(damage)) back.set(damage, swap);
  }
  const result = await swapCells(tools, [...back.values()], repairs + 1);
  // Where somebody was faster once more, the rows are looked for again.
  const again = new Set(result.undone.map(({ swap }) => swap));
  const rest = [...back].filter(([, swap]) => again.has(swap)).map(([damage]) => damage);
  const lost = damages.filter((damage) => !back.has(damage) && found.get(damage.swap.anchor) !== null);
  return [...lost.map(({ at }) => at), ...result.lost, ...(await repair(tools, rest, repairs + 1))];
}

/** Where the cells may be now: as far from their block's first cell as before, or in another row. */
function waysBack(
  damage: Damage,
  now: AnchoredCells | null,
): readonly (Swap & { readonly damage: Damage })[] {
  const { swap, held, at, block: then, refersTo } = damage;
  if (now === null) return [];
  const { block, cells } = now;
  const own = { row: at.row - then.row, col: at.col - then.col };
  // A row that cannot be told by what it refers to is only looked for where it was.
  if (!isSameSize(block, then) && refersTo === null) return [];
  const nearest = (a: number, b: number): number => Math.abs(a - own.row) - Math.abs(b - own.row);
  const rows = refersTo === null ? [own.row] : cells.map((_, row) => row).sort(nearest);
  return rows.flatMap((row) => {
    if (!isAsWritten(part(cells, { ...at, row, col: own.col }), swap.to)) return [];
    const area = { ...at, sheet: block.sheet, row: block.row + row, col: block.col + own.col };
    return movedFormulas(swap.formula, swap.area, area).map((formula) => ({
      ...{ damage, anchor: swap.anchor, block, area, formula, refersTo },
      isExpected: (cell: Held) => isAsWritten(cell, swap.to),
      to: asBefore(held, swap.to, { from: at, to: area }),
    }));
  });
}

function isAsWritten(held: Held, to: Swap["to"]): boolean {
  const spills = to[0]?.[0]?.formula !== null && !isSpillError(held[0]?.[0]);
  return to.every((line, r) =>
    line.every((cell, c) => {
      const now = held[r]?.[c];
      if (now === undefined) return false;
      if (cell.formula !== null) return spelling(now.formula) === spelling(cell.formula);
      return now.formula === null && (spills || isSameContent(now.content, cell.content));
    }),
  );
}

/** What a formula had spilled comes back by itself, if its cells are empty. */
function asBefore(
  held: Held,
  wrote: Swap["to"],
  { from, to }: { readonly from: CellRef; readonly to: CellRef },
): readonly (readonly NewCell[])[] {
  const spilled = held[0]?.[0]?.formula !== null && !isSpillError(held[0]?.[0]);
  return held.map((line, r) =>
    line.map(({ formula, content, numberFormat }, c): NewCell => {
      const isFirst = r === 0 && c === 0;
      const ways = formula === null ? [] : movedFormulas(formula, from, to);
      return {
        formula: ways[1] ?? formula,
        content: spilled && !isFirst ? null : content,
        numberFormat: wrote[r]?.[c]?.numberFormat === null ? null : numberFormat,
      };
    }),
  );
}

function isSpillError(cell: HeldCell | undefined): boolean {
  return cell !== undefined && isError(cell.content) && cell.content.error === "#SPILL!";
}

export function isSameContent(one: HeldCell["content"], other: HeldCell["content"]): boolean {
  return digest([[one]]) === digest([[other]]);
}

/** Hosts may spell a formula in other letter case, and spaces outside of text are nobody's meaning. */
export function spelling(formula: string | null): string {
  return (formula ?? "")
    .split(/("(?:[^"]|"")*")/)
    .map((text, index) => (index % 2 === 0 ? text.replaceAll(/\s/g, "").toUpperCase() : text))
    .join("");
}

export function isSamePlace(one: CellRef, other: CellRef): boolean {
  return one.sheet === other.sheet && one.row === other.row && one.col === other.col;
}

function isSameSize(one: Area | undefined, other: Area): boolean {
  return one?.rows === other.rows && one.cols === other.cols;
}

/** The rectangle's cells out of a matrix. */
export function part<T>(
  cells: readonly (readonly T[])[],
  { row, col, rows, cols }: Omit<Area, "sheet">,
): T[][] {
  return cells.slice(row, row + rows).map((line) => line.slice(col, col + cols));
}

/** For a report. */
export function leftLost(
  cells: readonly CellRef[],
): { readonly reason: string; readonly cells: readonly CellRef[] }[] {
  const reason = "Somebody changed the cell and its rows while INV wrote; check what it shows";
  return cells.length === 0 ? [] : [{ reason, cells }];
}
