/**
 * Thawing: formulas go back from the ledger into their cells, where nothing speaks against it (`planThaw`); the
 * others are listed and left. The plan is made again after each round of writing: what it then finds in its cell is
 * done, and what somebody moved meanwhile is tried again. An entry goes only when its formula was seen in every cell that
 * needs it, a copied sheet's too.
 */
import { cellKey } from "../addresses";
import type { Area, CellRef, NewCell, Workbook } from "../port";
import { blocksInPlace, nameBlocks } from "./anchors";
import { digest } from "./digest";
import { type Ledger, type LedgerContent, type LedgerLine, type LedgerWriter, sheetsOf } from "./ledger";
import { type FreezeReport, type LeftAlone, leftFor, lostReason } from "./report";
import { replaceCells } from "./replace-cells";
import type { Replacement } from "./restore-cells";
import { type Match, planThaw, type Refused, type ThawPlan } from "./thaw-plan";
import { restoreTableColumns, watchTableColumns } from "./table-columns";

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
    const writer = ledger.open();
    try {
      return await thawIn({ workbook, ledger, writer }, content, isWanted);
    } catch (error) {
      // What failed matters more than a name or a sheet that is left.
      await ledger.tidy(writer.sheets).catch(() => undefined);
      throw error;
    }
  });
}

async function thawIn(
  { workbook, ledger, writer }: ThawTools & { readonly writer: LedgerWriter },
  { lines }: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  const { newName } = writer;
  let plan = await planThaw(workbook, lines, isWanted);
  const written = new Set<LedgerLine["entry"]>();
  const lost: CellRef[] = [];
  let cells = 0;
  if (plan.same.length > 0) {
    await writer.start();
    await ledger.setState("none", "thawing");
  }
  for (let round = 1; plan.same.length > 0 && round <= mostRounds; round += 1) {
    const tools = { workbook, around: plan.around, newName };
    // By names of its own: another INV that thaws the last formula removes those of the ledger.
    const blocks = [...new Set(plan.same.map(({ block }) => block))];
    const areas = blocks.map(({ block }) => block);
    const named = await nameBlocks(workbook, areas, newName);
    const anchors = new Map(blocks.map((block, index) => [block, named[index]?.anchor]));
    // A block that has moved since it was planned has left its cells' addresses to others.
    const inPlace = await blocksInPlace(workbook, blocks);
    const matches = plan.same.filter(({ block }) => inPlace.has(block));
    const watched = await watchTableColumns(tools, matches);
    const replacements = new Map(
      matches.flatMap((match): [Replacement, Match][] => {
        const anchor = anchors.get(match.block);
        return anchor === undefined ? [] : [[{ ...replacementFor(match), anchor }, match]];
      }),
    );
    const result = await replaceCells(tools, [...replacements.keys()]);
    await restoreTableColumns(tools, watched);
    for (const replacement of result.done) {
      const match = replacements.get(replacement);
      if (match !== undefined) written.add(match.line.entry);
    }
    lost.push(...result.missing);
    const before = plan.same.length;
    plan = await planThaw(workbook, lines, isWanted);
    cells += before - plan.same.length;
  }
  const dropped = new Set(await drop({ workbook, ledger }, plan, { written, sheets: writer.sheets }));
  await ledger.setState("thawing", "none");
  const lostCells = leftFor(lostReason, lost);
  if (dropped.size > 0 && plan.refused.length > 0) {
    // Lines of earlier freezes may only have been kept from their cells by those that are gone now.
    const rest = lines.filter((line) => !dropped.has(line));
    const again = await thawCells({ workbook, ledger }, { state: "none", lines: rest }, isWanted);
    return { cells: cells + again.cells, left: [...again.left, ...lostCells] };
  }
  const notTaken = plan.same.map((match) => ({
    ...match,
    reason: "The workbook did not take the formula",
  }));
  return { cells, left: [...byReason([...plan.refused, ...notTaken]), ...lostCells] };
}

function replacementFor({
  block,
  area,
  formula,
  reader,
  line: { entry },
}: Match): Omit<Replacement, "anchor"> {
  const isGiven = (r: number, c: number): boolean =>
    entry.numberFormat !== "" &&
    block.cells[area.row - block.block.row + r]?.[area.col - block.block.col + c]?.numberFormat ===
      entry.numberFormat;
  return {
    ...{ block: block.block, area, formula, reader, refersTo: entry.refersTo },
    isExpected: (now) =>
      now.every((row) => row.every((cell) => cell.formula === null)) &&
      digest(now.map((row) => row.map(({ content }) => content))) === entry.digest,
    newCells: Array.from({ length: area.rows }, (_, r) =>
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
  /** The thaw's own, without lines. */
  readonly sheets: readonly string[];
}

/**
 * A formula that was in its cell before INV wrote may leave it again: somebody repeats what they had undone, or is just
 * freezing it. So the line of a freeze under way stays, and the other cells are looked at once more.
 */
async function drop(
  { workbook, ledger }: ThawTools,
  plan: ThawPlan,
  { written, sheets }: Dropped,
): Promise<readonly LedgerLine[]> {
  const own = plan.standing.filter(({ entry }) => written.has(entry));
  const others = plan.standing.filter(({ entry, isBeingFrozen }) => !written.has(entry) && !isBeingFrozen);
  await ledger.drop([...own, ...others]);
  if (others.length > 0) {
    const again = await planThaw(workbook, others, () => true);
    const back = [...new Set(again.same.map(({ line }) => line.entry))];
    if (back.length > 0) {
      const writer = ledger.open();
      await writer.append(back);
      await writer.close();
    }
  }
  await ledger.tidy([...sheetsOf([...own, ...others]), ...sheets]);
  return [...own, ...others];
}

function byReason(refused: readonly Refused[]): readonly LeftAlone[] {
  const lists = new Map<string, Map<string, CellRef>>();
  for (const { reason, line, place } of refused) {
    const cells = lists.get(reason) ?? new Map<string, CellRef>();
    const cell = place.at ?? line.entry.ref;
    lists.set(reason, cells.set(cellKey(cell), cell));
  }
  return [...lists].map(([reason, cells]) => ({ reason, cells: [...cells.values()] }));
}
