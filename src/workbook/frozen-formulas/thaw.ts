/**
 * Thawing: formulas go back from the ledger into their cells, where nothing speaks against it (`planThaw`); the
 * others are listed and left. The plan is made again after each round of writing: what it then finds in its cell is
 * done, and what somebody moved meanwhile is tried again. An entry goes only when its formula was seen in every cell that
 * needs it, a copied sheet's too.
 */
import type { Area, CellRef, NewCell, Workbook } from "../port";
import { digest } from "./digest";
import { type Ledger, type LedgerContent, type LedgerLine, sheetsOf } from "./ledger";
import { type FreezeReport, type LeftAlone, leftFor, lostReason } from "./report";
import { type Swap, swapCells } from "./swap";
import { type Match, planThaw, type Refused, type ThawPlan, type ThawScope } from "./thaw-plan";
import { readTableColumns, restoreTableColumns } from "./table-columns";
import { isSamePlace } from "./visits";

export interface ThawTools {
  readonly workbook: Workbook;
  readonly ledger: Ledger;
}

const mostRounds = 4;

/** @param isWanted of the areas as they are now */
export async function thawCells(
  { workbook, ledger }: ThawTools,
  content: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  return workbook.step(async () => {
    const scope = { isWanted, newName: ledger.open().newName };
    const { lines } = content;
    let plan = await planThaw(workbook, lines, scope);
    const written = new Set<LedgerLine["entry"]>();
    const lost: CellRef[] = [];
    let cells = 0;
    if (plan.same.length > 0) await ledger.setState("none", "thawing");
    for (let round = 1; plan.same.length > 0 && round <= mostRounds; round += 1) {
      const columns = await readTableColumns(
        workbook,
        plan.same.map(({ area }) => area),
      );
      const swaps = new Map(plan.same.map((match) => [swapOf(match), match]));
      const result = await swapCells({ workbook, around: plan.around }, [...swaps.keys()]);
      await restoreTableColumns(workbook, columns);
      for (const swap of result.done) {
        const match = swaps.get(swap);
        if (match !== undefined) written.add(match.line.entry);
      }
      lost.push(...result.lost);
      const before = plan.same.length;
      plan = await planThaw(workbook, lines, scope);
      cells += before - plan.same.length;
    }
    await drop({ workbook, ledger }, plan, { written, scope });
    await ledger.setState("thawing", "none");
    const notTaken = plan.same.map((match) => ({
      ...match,
      reason: "The workbook did not take the formula",
    }));
    return { cells, left: [...byReason([...plan.refused, ...notTaken]), ...leftFor(lostReason, lost)] };
  });
}

function swapOf({ block, area, formula, reader, line: { entry } }: Match): Swap {
  const isGiven = (r: number, c: number): boolean =>
    entry.numberFormat !== "" &&
    block.cells[area.row - block.block.row + r]?.[area.col - block.block.col + c]?.numberFormat ===
      entry.numberFormat;
  return {
    ...{ anchor: block.anchor, block: block.block, area, formula, reader, refersTo: entry.refersTo },
    isExpected: (now, at) =>
      isSamePlace(at, area) &&
      now.every((row) => row.every((cell) => cell.formula === null)) &&
      digest(now.map((row) => row.map(({ content }) => content))) === entry.digest,
    to: Array.from({ length: area.rows }, (_, r) =>
      Array.from({ length: area.cols }, (_unused, c): NewCell => ({
        formula: r === 0 && c === 0 ? formula : null,
        content: null,
        numberFormat: isGiven(r, c) ? "General" : null,
      })),
    ),
  };
}

interface Dropped {
  readonly written: ReadonlySet<LedgerLine["entry"]>;
  readonly scope: ThawScope;
}

/**
 * A formula that was in its cell before INV wrote may leave it again: somebody repeats what they had undone, or is just
 * freezing it. So the line of a freeze under way stays, and the other cells are looked at once more.
 */
async function drop(
  { workbook, ledger }: ThawTools,
  plan: ThawPlan,
  { written, scope }: Dropped,
): Promise<void> {
  const own = plan.standing.filter(({ entry }) => written.has(entry));
  const others = plan.standing.filter(({ entry, isBeingFrozen }) => !written.has(entry) && !isBeingFrozen);
  await ledger.drop([...own, ...others]);
  if (others.length > 0) {
    const again = await planThaw(workbook, others, { ...scope, isWanted: () => true });
    const back = [...new Set(again.same.map(({ line }) => line.entry))];
    if (back.length > 0) {
      const writer = ledger.open();
      await writer.append(back);
      await writer.close();
    }
  }
  await ledger.tidy(sheetsOf([...own, ...others]));
}

function byReason(refused: readonly Refused[]): readonly LeftAlone[] {
  const lists = new Map<string, CellRef[]>();
  for (const { reason, line, place } of refused) {
    const cells = lists.get(reason) ?? [];
    lists.set(reason, cells);
    cells.push(place.at ?? line.entry.ref);
  }
  return [...lists].map(([reason, cells]) => ({ reason, cells }));
}
