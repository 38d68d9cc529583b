/**
 * Writing where other people edit meanwhile. Each batch that writes also reads what the cells held right before. Where
 * that isn't what the write was planned for, somebody was faster: what they had is put back, in whichever row it is by
 * then, but only where the cell still contains what INV wrote.
 */
import { toR1C1 } from "../../formula/references";
import { isError } from "../cell-content";
import type { AnchoredCells, CellRef, HeldCell, NewCell, Workbook } from "../port";
import { digest } from "./digest";
import { movedFormulas, spelling } from "./moved-formula";
import { renewed, type Surroundings } from "./referred-cells";
import { add, type Place, rowsByReference } from "./rows-by-reference";
import { type Held, part, type Seen, type Spot, visit } from "./visits";

/** One formula's area, and what it becomes. */
export interface Swap extends Spot {
  readonly refersTo: string;
  isExpected(held: Held): boolean;
  readonly to: readonly (readonly NewCell[])[];
}

interface Undone {
  readonly swap: Swap;
  /** What the cells held, which was put back. Null where nothing was written. */
  readonly held: Held | null;
}

interface SwapResult {
  readonly done: readonly Swap[];
  readonly undone: readonly Undone[];
  readonly lost: Lost;
}

/** Cells in which INV wrote over something that it couldn't put back. */
interface Lost {
  /** The row is there, and somebody has changed the cell since. */
  readonly changed: readonly CellRef[];
  /** The row was not found. */
  readonly missing: readonly CellRef[];
}

/** Something that INV wrote over. */
export interface Damage extends Pick<Seen, "held" | "refersTo"> {
  readonly swap: Pick<Swap, "anchor" | "block" | "area" | "formula" | "to">;
}

interface SwapTools {
  readonly workbook: Workbook;
  readonly around: Surroundings;
}

export async function swapCells(tools: SwapTools, swaps: readonly Swap[]): Promise<SwapResult> {
  const byRow = new Map<string, Swap[]>();
  for (const swap of swaps) add(byRow, rowKey(swap, swap.refersTo), swap);
  const done = new Set<Swap>();
  const held = new Map<Swap, Held>();
  const changed: CellRef[] = [];
  const missing: CellRef[] = [];
  await visit(tools.workbook, swaps, async (batch) => {
    const damages: Damage[] = [];
    for (const { visit: swap, seen } of batch) {
      if (seen === null) continue;
      // A sort may have brought another swap's row here, for which it was right.
      const own = [swap, ...(byRow.get(rowKey(swap, seen.refersTo)) ?? [])];
      const right = own.find((one) => !done.has(one) && isAsPlanned(one, seen) && isAlike(one, swap));
      held.set(swap, seen.held);
      if (right !== undefined) done.add(right);
      else if (!isUnchanged(swap, seen)) damages.push({ swap, ...seen });
    }
    const lost = await repair(tools, damages);
    changed.push(...lost.changed);
    missing.push(...lost.missing);
  });
  const undone = swaps.filter((swap) => !done.has(swap));
  return {
    done: [...done],
    undone: undone.map((swap) => ({ swap, held: held.get(swap) ?? null })),
    lost: { changed, missing },
  };
}

function isAsPlanned(swap: Swap, { held, refersTo }: Seen): boolean {
  return swap.refersTo === refersTo && swap.isExpected(held);
}

function rowKey({ area: { sheet, col } }: Swap, refersTo: string): string {
  return `${refersTo}\n${col}\n${sheet}`;
}

/** Whether both write the same, each in its row. */
function isAlike(one: Swap, other: Swap): boolean {
  const textOf = ({ area, to }: Swap): string =>
    JSON.stringify(
      to.map((line) =>
        line.map((cell) => ({ ...cell, formula: cell.formula && spelling(toR1C1(cell.formula, area)) })),
      ),
    );
  return one === other || textOf(one) === textOf(other);
}

/** Whether the cells had what was written: another INV had written the same. */
function isUnchanged(swap: Swap, { held, refersTo }: Seen): boolean {
  const keepsFormat = swap.to.every((line, r) =>
    line.every(({ numberFormat }, c) => [null, held[r]?.[c]?.numberFormat].includes(numberFormat)),
  );
  return keepsFormat && isHolding(held, { swap, held, refersTo }, swap.area);
}

/** Somebody who edits all the time is not waited for. */
const mostRepairs = 8;

/** Puts back what was written over. */
export async function repair(tools: SwapTools, damages: readonly Damage[]): Promise<Lost> {
  if (damages.length === 0) return { changed: [], missing: [] };
  const all = new Set(damages);
  const lost = await repairAll(tools, damages, all);
  // A sheet that was copied in between has a copy of the damage too, by twins of the names.
  const names = await tools.workbook.names();
  const twins = names.flatMap(({ name, sheet }) => (sheet === null ? [] : [{ name, sheet }]));
  // The latest first: what another INV had written wrongly was put back by then.
  const copied = [...all]
    .reverse()
    .flatMap((damage) =>
      twins
        .filter(({ name }) => name.toLowerCase() === damage.swap.anchor.name.toLowerCase())
        .map((anchor): Damage => ({ ...damage, swap: { ...damage.swap, anchor } })),
    );
  await repairAll(tools, copied);
  const areasOf = (wanted: boolean): readonly CellRef[] =>
    lost.filter(({ isRowThere }) => isRowThere === wanted).map(({ damage }) => damage.swap.area);
  return { changed: areasOf(true), missing: areasOf(false) };
}

interface Remaining {
  readonly damage: Damage;
  readonly isRowThere: boolean;
}

/** @param all takes what the repair itself wrote over */
async function repairAll(
  tools: SwapTools,
  damages: readonly Damage[],
  all = new Set<Damage>(),
): Promise<readonly Remaining[]> {
  let rest: readonly Remaining[] = damages.map((damage) => ({ damage, isRowThere: false }));
  for (let round = 1; round <= mostRepairs && rest.length > 0; round += 1) {
    try {
      const around = await renewed(tools.workbook, tools.around);
      rest = await repairOnce(
        { ...tools, around },
        rest.map(({ damage }) => damage),
      );
      for (const { damage } of rest) all.add(damage);
    } catch (error) {
      // A sheet may be renamed between two of its round trips.
      if (round === mostRepairs) throw error;
    }
  }
  return rest;
}

/** Returns what is still to be put back: rows may move while it is looked for, and while it is written. */
async function repairOnce(tools: SwapTools, damages: readonly Damage[]): Promise<readonly Remaining[]> {
  const anchors = [...new Set(damages.map(({ swap }) => swap.anchor))];
  const blocks = await tools.workbook.anchoredCells(anchors);
  const found = new Map(anchors.map((anchor, index) => [anchor, blocks[index] ?? null]));
  // Of a block that is gone nothing is left to repair.
  const kinds = damagesAlike(damages).flatMap((alike) => {
    const now = found.get(alike[0].swap.anchor) ?? null;
    return now === null ? [] : [{ alike, now, searches: searchesFor(alike[0], now) }];
  });
  const rows = await rowsByReference(
    tools.workbook,
    kinds.flatMap(({ searches }) => searches),
    tools.around,
  );
  const backs = kinds.flatMap(({ alike, now, searches }) => {
    const own = rows.splice(0, searches.length);
    const taken = new Set<number>();
    return alike.map((damage): Back => {
      const places = placesOf(damage, now, own);
      const place = places.find(({ at }) => !taken.has(at.row) && isAsWritten(damage, now, at));
      if (place === undefined) return { damage, swap: null, isRowThere: places.length > 0 };
      taken.add(place.at.row);
      return { damage, swap: swapBack(damage, now, place), isRowThere: true };
    });
  });
  const left: Remaining[] = backs.filter(({ swap }) => swap === null);
  const visits = backs.flatMap(({ damage, swap }) => (swap === null ? [] : [{ ...swap, damage, swap }]));
  await visit(tools.workbook, visits, (batch) => {
    for (const { visit: back, seen } of batch) {
      if (seen?.refersTo === back.refersTo && (isAsPlanned(back, seen) || isUnchanged(back.swap, seen))) {
        continue;
      }
      left.push({ damage: back.damage, isRowThere: false });
      if (seen !== null && !isUnchanged(back.swap, seen)) {
        left.push({ damage: { swap: back.swap, ...seen }, isRowThere: false });
      }
    }
  });
  return left;
}

interface Back extends Remaining {
  /** Null where its row isn't found. */
  readonly swap: Swap | null;
}

type Alike = readonly [Damage, ...Damage[]];

/** By block, column and how the formula reads in R1C1. */
function damagesAlike(damages: readonly Damage[]): readonly Alike[] {
  const kinds = new Map<string, [Damage, ...Damage[]]>();
  for (const damage of damages) {
    const { anchor, block, area, formula } = damage.swap;
    const key = [anchor.name, anchor.sheet, area.col - block.col, toR1C1(formula, area)].join("\n");
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, [damage]);
    else kind.push(damage);
  }
  return [...kinds.values()];
}

/** The column, with the formula as it may read where the cell would be if nobody had sorted. */
function searchesFor({ swap }: Damage, { block }: AnchoredCells) {
  const { sheet, row, col } = swap.area;
  const from = { sheet, row: row + block.row - swap.block.row, col: col + block.col - swap.block.col };
  const column = { ...block, col: from.col, cols: 1 };
  return movedFormulas(swap.formula, swap.area, from).map((formula) => ({ column, from, formula }));
}

/** Where the cells may be now: where what tells their row is, the nearest first. */
function placesOf(
  { swap, refersTo }: Damage,
  { block }: AnchoredCells,
  rows: readonly ReadonlyMap<string, readonly Place[]>[],
): readonly Place[] {
  const own = block.row + swap.area.row - swap.block.row;
  const distance = (place: Place): number => Math.abs(place.at.row - own);
  return rows.flatMap((found) => found.get(refersTo) ?? []).sort((a, b) => distance(a) - distance(b));
}

function swapBack(damage: Damage, { block }: AnchoredCells, { at, formula, reader }: Place): Swap {
  const { swap, refersTo } = damage;
  return {
    ...{ anchor: swap.anchor, block, area: { ...swap.area, ...at }, formula, reader, refersTo },
    isExpected: (held) => isHolding(held, damage, at),
    to: asBefore(damage, at),
  };
}

function isAsWritten(damage: Damage, { block, cells }: AnchoredCells, at: CellRef): boolean {
  return isHolding(part(cells, block, { ...damage.swap.area, ...at }), damage, at);
}

/** Whether the cells hold what INV wrote. */
function isHolding(held: Held, { swap: { to, area } }: Damage, at: CellRef): boolean {
  const spills = to[0]?.[0]?.formula !== null && !isSpillError(held[0]?.[0]);
  return to.every((line, r) =>
    line.every(({ formula, content }, c) => {
      const now = held[r]?.[c];
      if (now === undefined) return false;
      if (formula !== null) {
        const ways = movedFormulas(formula, area, at).map(spelling);
        return now.formula !== null && ways.includes(spelling(now.formula));
      }
      return now.formula === null && (spills || digest([[now.content]]) === digest([[content]]));
    }),
  );
}

/** What a formula had spilled comes back by itself, if its cells are empty. */
function asBefore({ held, swap }: Damage, to: CellRef): readonly (readonly NewCell[])[] {
  const [first] = held[0] ?? [];
  const spilled = first !== undefined && first.formula !== null && !isSpillError(first);
  return held.map((line, r) =>
    line.map(({ formula, content, numberFormat }, c): NewCell => {
      const isFirst = r === 0 && c === 0;
      const ways = formula === null ? [] : movedFormulas(formula, swap.area, to);
      return {
        formula: ways[1] ?? formula,
        content: spilled && !isFirst ? null : content,
        numberFormat: swap.to[r]?.[c]?.numberFormat === null ? null : numberFormat,
      };
    }),
  );
}

function isSpillError(cell: HeldCell | undefined): boolean {
  return cell !== undefined && isError(cell.content) && cell.content.error === "#SPILL!";
}
