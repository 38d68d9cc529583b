/**
 * Replaces formulas with values, or values with formulas, while other people edit. Each batch that writes also reads what the
 * cells contained right before. If that differs from the plan, somebody else was faster, and INV restores it.
 */
import { toR1C1 } from "../../formula/references";
import type { CellRef, Workbook } from "../port";
import { type CellMatrix, exchangeInBatches } from "./block-batches";
import { grouped } from "./grouped";
import { spelling } from "./moved-formula";
import type { Surroundings } from "./reference-reader";
import { isAsPlanned, isUnchanged, type Overwritten, type Replacement, restoreCells } from "./restore-cells";

interface NotDone {
  readonly replacement: Replacement;
  /** The restored contents of the cells; null if nothing was written. */
  readonly cells: CellMatrix | null;
}

interface ReplaceResult {
  readonly done: readonly Replacement[];
  readonly notDone: readonly NotDone[];
  /** Cells in which INV couldn't restore what it had overwritten, because somebody has changed the cell since. */
  readonly changed: readonly CellRef[];
  /** Cells in which INV couldn't restore it, because the row wasn't found. */
  readonly missing: readonly CellRef[];
}

export async function replaceCells(
  tools: { readonly workbook: Workbook; readonly around: Surroundings },
  replacements: readonly Replacement[],
): Promise<ReplaceResult> {
  const byRow = grouped(replacements, (each) => rowKey(each, each.refersTo));
  const done = new Set<Replacement>();
  const cellsBefore = new Map<Replacement, CellMatrix>();
  const changed: CellRef[] = [];
  const missing: CellRef[] = [];
  await exchangeInBatches(tools.workbook, replacements, async (batch) => {
    const overwritten: Overwritten[] = [];
    for (const { item: replacement, snapshot } of batch) {
      if (snapshot === null) continue;
      // A sort may have moved the row of another replacement here, and the written cells are right for that row.
      const ofRow = [replacement, ...(byRow.get(rowKey(replacement, snapshot.refersTo)) ?? [])];
      const right = ofRow.find(
        (one) => !done.has(one) && isAsPlanned(one, snapshot) && isAlike(one, replacement),
      );
      cellsBefore.set(replacement, snapshot.cells);
      if (right !== undefined) done.add(right);
      else if (!isUnchanged(replacement, snapshot)) overwritten.push({ replacement, ...snapshot });
    }
    const failed = await restoreCells(tools, overwritten);
    changed.push(...failed.changed);
    missing.push(...failed.missing);
  });
  const notDone = replacements
    .filter((each) => !done.has(each))
    .map((replacement) => ({ replacement, cells: cellsBefore.get(replacement) ?? null }));
  return { done: [...done], notDone, changed, missing };
}

function rowKey({ area: { sheet, col } }: Replacement, refersTo: string): string {
  return `${refersTo}\n${col}\n${sheet}`;
}

function isAlike(one: Replacement, other: Replacement): boolean {
  const textOf = ({ area, newCells }: Replacement): string =>
    JSON.stringify(
      newCells.map((line) =>
        line.map((cell) => ({ ...cell, formula: cell.formula && spelling(toR1C1(cell.formula, area)) })),
      ),
    );
  return one === other || textOf(one) === textOf(other);
}
