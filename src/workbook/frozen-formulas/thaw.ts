/**
 * Thawing: formulas go back from the ledger into their cells, where nothing speaks against it (`planThaw`); the
 * others are listed and left. An entry goes only after its formula was read back equal, and one whose cell
 * holds the formula again (an undo) just goes.
 */
import { cellKey } from "../addresses";
import type { Ledger, LedgerContent } from "./ledger";
import type { Area, CellRef, Workbook } from "../port";
import { blankOf, type FreezeReport, type LeftAlone } from "./freeze";
import { writeAreas } from "./blocks";
import { cellOfLine, firstCells, type Match, planThaw, type Refused, spelling } from "./thaw-plan";
import { readTableColumns, restoreTableColumns } from "./table-columns";
import { withdrawFormats } from "./value-formats";

export interface ThawTools {
  readonly workbook: Workbook;
  readonly ledger: Ledger;
}

/** @param isWanted of the areas as they are now */
export async function thawCells(
  { workbook, ledger }: ThawTools,
  content: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  return workbook.step(async () => {
    const { same, standing, refused } = await planThaw(workbook, content, isWanted);
    if (same.length > 0) await ledger.setState("thawing");
    const kept = await putBack(workbook, same);
    const done = same.filter((target) => !kept.includes(target));
    const goes = [...standing, ...done];
    await withdrawFormats(
      workbook,
      goes.map(({ area, line }) => ({ area, numberFormat: line.entry.numberFormat })),
    );
    await ledger.drop(goes.map(({ line }) => line));
    if (content.state !== "none" || same.length > 0) await ledger.setState("none");
    const notTaken = kept.map((target) => ({ ...target, reason: "The workbook did not take the formula" }));
    return { cells: done.length, left: byReason([...refused, ...notTaken]) };
  });
}

/** Returns those that the workbook did not take. */
async function putBack(workbook: Workbook, targets: readonly Match[]): Promise<readonly Match[]> {
  if (targets.length === 0) return [];
  const columns = await readTableColumns(
    workbook,
    targets.map(({ area }) => area),
  );
  await write(workbook, targets);
  const missing = await notHeld(workbook, targets);
  if (missing.length + columns.length === 0) return [];
  // A Table may have filled another's formula over it.
  await write(workbook, missing);
  await restoreTableColumns(workbook, columns);
  return notHeld(workbook, targets);
}

async function notHeld(workbook: Workbook, targets: readonly Match[]): Promise<readonly Match[]> {
  const held = await firstCells(workbook, targets);
  return targets.filter(({ area, formula }) => spelling(held.get(cellKey(area))) !== spelling(formula));
}

/** With one write for each area: what a formula spilled over is cleared with it, or it could not spill again. */
async function write(workbook: Workbook, targets: readonly Match[]): Promise<void> {
  const changes = targets.map(({ area, formula }) => {
    const blank = blankOf(area);
    const [first = [], ...others] = blank;
    return { area, cells: [[formula, ...first.slice(1)], ...others] };
  });
  await writeAreas(changes, (area, cells) => workbook.write(area, cells));
}

function byReason(refused: readonly Refused[]): readonly LeftAlone[] {
  const lists = new Map<string, CellRef[]>();
  for (const one of refused) {
    const cells = lists.get(one.reason) ?? [];
    lists.set(one.reason, cells);
    cells.push(cellOfLine(one));
  }
  return [...lists].map(([reason, cells]) => ({ reason, cells }));
}
