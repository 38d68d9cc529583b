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
import { type Place, rowsByReference } from "./rows-by-reference";
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
  /** Cells that INV wrote over and could not find again to put back what they held. */
  readonly lost: readonly CellRef[];
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
  const done: Swap[] = [];
  const undone: Undone[] = [];
  const lost: CellRef[] = [];
  await visit(tools.workbook, swaps, async (batch) => {
    const damages: Damage[] = [];
    for (const { visit: swap, seen } of batch) {
      if (seen !== null && isAsPlanned(swap, seen)) done.push(swap);
      else {
        undone.push({ swap, held: seen?.held ?? null });
        if (seen !== null) damages.push({ swap, ...seen });
      }
    }
    lost.push(...(await repair(tools, damages)));
  });
  return { done, undone, lost };
}

function isAsPlanned(swap: Swap, { held, refersTo }: Seen): boolean {
  return swap.refersTo === refersTo && swap.isExpected(held);
}

/** Somebody who edits all the time is not waited for. */
const mostRepairs = 8;

/** Puts back what was written over. Returns the cells that could not be found again. */
export async function repair(tools: SwapTools, damages: readonly Damage[]): Promise<readonly CellRef[]> {
  if (damages.length === 0) return [];
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
  return lost.map(({ swap }) => swap.area);
}

/** @param all takes what the repair itself wrote over */
async function repairAll(
  tools: SwapTools,
  damages: readonly Damage[],
  all = new Set<Damage>(),
): Promise<readonly Damage[]> {
  let rest = damages;
  for (let round = 1; round <= mostRepairs && rest.length > 0; round += 1) {
    try {
      rest = await repairOnce({ ...tools, around: await renewed(tools.workbook, tools.around) }, rest);
      for (const damage of rest) all.add(damage);
    } catch (error) {
      // A sheet may be renamed between two of its round trips.
      if (round === mostRepairs) throw error;
    }
  }
  return rest;
}

/** Returns what is still to be put back: rows may move while it is looked for, and while it is written. */
async function repairOnce(tools: SwapTools, damages: readonly Damage[]): Promise<readonly Damage[]> {
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
      if (place === undefined) return { damage, swap: null };
      taken.add(place.at.row);
      return { damage, swap: swapBack(damage, now, place) };
    });
  });
  const left = backs.flatMap(({ damage, swap }) => (swap === null ? [damage] : []));
  const visits = backs.flatMap(({ damage, swap }) => (swap === null ? [] : [{ ...swap, damage, swap }]));
  await visit(tools.workbook, visits, (batch) => {
    for (const { visit: back, seen } of batch) {
      if (seen !== null && isAsPlanned(back, seen)) continue;
      left.push(back.damage);
      if (seen !== null) left.push({ swap: back.swap, ...seen });
    }
  });
  return left;
}

interface Back {
  readonly damage: Damage;
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
