/**
 * Restores what INV has overwritten, in whichever row it belongs to now, but only where the cell still contains what INV wrote.
 * Rows may move while INV searches for them, and while it writes.
 */
import { toR1C1 } from "../../formula/references";
import { isError } from "../cell-content";
import type { AnchoredCells, CellRef, CellState, NewCell, Workbook } from "../port";
import { type CellMatrix, exchangeInBatches, type FormulaArea, partOf, type Snapshot } from "./block-batches";
import { digest } from "./digest";
import { grouped } from "./grouped";
import { movedFormulas, spelling } from "./moved-formula";
import { renewed, type Surroundings } from "./reference-reader";
import { type FoundRow, rowsByReference } from "./rows-by-reference";

interface Replacement extends FormulaArea {
  readonly refersTo: string;
  isExpected(cells: CellMatrix): boolean;
  readonly newCells: readonly (readonly NewCell[])[];
}

export interface Overwritten extends Pick<Snapshot, "cells" | "refersTo"> {
  readonly replacement: Omit<Replacement, "refersTo" | "isExpected" | "reader">;
}

interface RestoreTools {
  readonly workbook: Workbook;
  readonly around: Surroundings;
}

/** Returns whether INV wrote what it had planned, into the planned row. */
function isAsPlanned(replacement: Replacement, { cells, refersTo }: Snapshot): boolean {
  return replacement.refersTo === refersTo && replacement.isExpected(cells);
}

/** Returns whether the cells already contained what INV wrote, because another INV had written the same. */
function isUnchanged(replacement: Replacement, { cells, refersTo }: Snapshot): boolean {
  const keepsFormat = replacement.newCells.every((line, r) =>
    line.every(({ numberFormat }, c) => [null, cells[r]?.[c]?.numberFormat].includes(numberFormat)),
  );
  return keepsFormat && isStillThere(cells, { replacement, cells, refersTo }, replacement.area);
}

/** Limits the rounds, because somebody may keep editing. */
const mostRounds = 8;

/**
 * Restores the cells. Returns those that it couldn't restore, because they were changed since or because their row is missing.
 */
export async function restoreCells(tools: RestoreTools, overwritten: readonly Overwritten[]) {
  if (overwritten.length === 0) return { changed: [], missing: [] };
  const all = new Set(overwritten);
  const failed = await restoreInRounds(tools, overwritten, all);
  // If somebody copied the sheet in the meantime, the copy is overwritten too. It has twins of the names.
  const names = await tools.workbook.names();
  const twins = names.flatMap(({ name, sheet }) => (sheet === null ? [] : [{ name, sheet }]));
  // Start with the latest: by then, another INV had restored what it had overwritten.
  const copied = [...all]
    .reverse()
    .flatMap((one) =>
      twins
        .filter(({ name }) => name.toLowerCase() === one.replacement.anchor.name.toLowerCase())
        .map((anchor): Overwritten => ({ ...one, replacement: { ...one.replacement, anchor } })),
    );
  await restoreInRounds(tools, copied);
  const areasOf = (hasRow: boolean): readonly CellRef[] =>
    failed.filter((each) => each.hasRow === hasRow).map(({ overwritten: one }) => one.replacement.area);
  return { changed: areasOf(true), missing: areasOf(false) };
}

interface NotRestored {
  readonly overwritten: Overwritten;
  readonly hasRow: boolean;
}

/** @param all also receives what the restoring itself has overwritten */
async function restoreInRounds(
  tools: RestoreTools,
  overwritten: readonly Overwritten[],
  all = new Set<Overwritten>(),
): Promise<readonly NotRestored[]> {
  let rest: readonly NotRestored[] = overwritten.map((one) => ({ overwritten: one, hasRow: false }));
  for (let round = 1; round <= mostRounds && rest.length > 0; round += 1) {
    try {
      const around = await renewed(tools.workbook, tools.around);
      rest = await restoreOnce(
        { ...tools, around },
        rest.map((each) => each.overwritten),
      );
      for (const each of rest) all.add(each.overwritten);
    } catch (error) {
      // Retry, because somebody may rename a sheet between two round trips.
      if (round === mostRounds) throw error;
    }
  }
  return rest;
}

async function restoreOnce(
  tools: RestoreTools,
  overwritten: readonly Overwritten[],
): Promise<readonly NotRestored[]> {
  const anchors = [...new Set(overwritten.map(({ replacement }) => replacement.anchor))];
  const blocks = await tools.workbook.anchoredCells(anchors);
  const found = new Map(anchors.map((anchor, index) => [anchor, blocks[index] ?? null]));
  // If the block was deleted, nothing is left to restore.
  const kinds = groupAlike(overwritten).flatMap((alike) => {
    const now = found.get(alike[0].replacement.anchor) ?? null;
    return now === null ? [] : [{ alike, now, searches: searchesFor(alike[0], now) }];
  });
  const rows = await rowsByReference(
    tools.workbook,
    kinds.flatMap(({ searches }) => searches),
    tools.around,
  );
  const notRestored: NotRestored[] = [];
  const items = kinds.flatMap(({ alike, now, searches }) => {
    const own = rows.splice(0, searches.length);
    const usedRows = new Set<number>();
    return alike.flatMap((one) => {
      const possible = rowsOf(one, now, own);
      const row = possible.find(({ at }) => !usedRows.has(at.row) && isAsWritten(one, now, at));
      if (row === undefined) {
        notRestored.push({ overwritten: one, hasRow: possible.length > 0 });
        return [];
      }
      usedRows.add(row.at.row);
      return [{ ...restoring(one, now, row), overwritten: one }];
    });
  });
  await exchangeInBatches(tools.workbook, items, (batch) => {
    for (const { item, snapshot } of batch) {
      const isRow = snapshot?.refersTo === item.refersTo;
      if (isRow && (isAsPlanned(item, snapshot) || isUnchanged(item, snapshot))) continue;
      notRestored.push({ overwritten: item.overwritten, hasRow: false });
      if (snapshot !== null && !isUnchanged(item, snapshot)) {
        notRestored.push({ overwritten: { replacement: item, ...snapshot }, hasRow: false });
      }
    }
  });
  return notRestored;
}

function groupAlike(overwritten: readonly Overwritten[]) {
  const groups = grouped(overwritten, ({ replacement: { anchor, block, area, formula } }) =>
    [anchor.name, anchor.sheet, area.col - block.col, toR1C1(formula, area)].join("\n"),
  );
  return [...groups.values()];
}

/** Returns the column to search, and the formula as the cell would contain it if nobody had sorted. */
function searchesFor({ replacement }: Overwritten, { block }: AnchoredCells) {
  const { formula: before, area, block: blockBefore } = replacement;
  const from = {
    sheet: area.sheet,
    row: area.row + block.row - blockBefore.row,
    col: area.col + block.col - blockBefore.col,
  };
  const column = { ...block, col: from.col, cols: 1 };
  return movedFormulas(before, area, from).map((formula) => ({ column, from, formula }));
}

/** Returns the rows that refer to the same contents as the original row did, the nearest first. */
function rowsOf(
  { replacement, refersTo }: Overwritten,
  { block }: AnchoredCells,
  found: readonly ReadonlyMap<string, readonly FoundRow[]>[],
): readonly FoundRow[] {
  const own = block.row + replacement.area.row - replacement.block.row;
  const distance = ({ at }: FoundRow): number => Math.abs(at.row - own);
  return found.flatMap((rows) => rows.get(refersTo) ?? []).sort((a, b) => distance(a) - distance(b));
}

function restoring(
  one: Overwritten,
  { block }: AnchoredCells,
  { at, formula, reader }: FoundRow,
): Replacement {
  const { replacement, refersTo } = one;
  const { anchor, area } = replacement;
  return {
    ...{ anchor, block, area: { ...area, ...at }, formula, reader, refersTo },
    isExpected: (cells) => isStillThere(cells, one, at),
    newCells: cellsBefore(one, at),
  };
}

function isAsWritten(one: Overwritten, { block, cells }: AnchoredCells, at: CellRef): boolean {
  return isStillThere(partOf(cells, block, { ...one.replacement.area, ...at }), one, at);
}

function isStillThere(
  cells: CellMatrix,
  { replacement: { newCells, area } }: Overwritten,
  at: CellRef,
): boolean {
  const spills = newCells[0]?.[0]?.formula !== null && !isSpillError(cells[0]?.[0]);
  return newCells.every((line, r) =>
    line.every(({ formula, content }, c) => {
      const now = cells[r]?.[c];
      if (now === undefined) return false;
      if (formula !== null) {
        const ways = movedFormulas(formula, area, at).map(spelling);
        return now.formula !== null && ways.includes(spelling(now.formula));
      }
      return now.formula === null && (spills || digest([[now.content]]) === digest([[content]]));
    }),
  );
}

/** Returns the original cells. Those into which the formula spills again by itself stay empty. */
function cellsBefore({ cells, replacement }: Overwritten, to: CellRef): readonly (readonly NewCell[])[] {
  const [first] = cells[0] ?? [];
  const spilled = first !== undefined && first.formula !== null && !isSpillError(first);
  return cells.map((line, r) =>
    line.map(({ formula, content, numberFormat }, c): NewCell => {
      const isFirst = r === 0 && c === 0;
      const ways = formula === null ? [] : movedFormulas(formula, replacement.area, to);
      return {
        formula: ways[1] ?? formula,
        content: spilled && !isFirst ? null : content,
        numberFormat: replacement.newCells[r]?.[c]?.numberFormat === null ? null : numberFormat,
      };
    }),
  );
}

function isSpillError(cell: CellState | undefined): boolean {
  return cell !== undefined && isError(cell.content) && cell.content.error === "#SPILL!";
}
