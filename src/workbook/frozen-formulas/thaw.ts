/**
 * Thaws: restores formulas from the ledger to the cells that still match (`planThaw`), and reports the others. INV plans again
 * after each round of writing: formulas that the plan finds in their cells are done, and INV retries those that somebody moved
 * in the meantime. INV removes a line only after it has seen the formula in every cell that needs it, in copied sheets too.
 */
import { cellKey } from "../addresses";
import type { Area, CellRef, NewCell, Workbook } from "../port";
import { blocksInPlace, nameBlocks } from "./anchors";
import { digest } from "./digest";
import {
  type Ledger,
  type LedgerContent,
  type LedgerLine,
  type LedgerWriter,
  sheetsOf,
  type WriterOptions,
} from "./ledger";
import { type FreezeReport, type SkippedCells, skippedFor, lostReason } from "./report";
import { replaceCells } from "./replace-cells";
import type { Replacement } from "./restore-cells";
import { type Match, planThaw, type Refused, type ThawPlan } from "./thaw-plan";
import { restoreTableColumns, watchTableColumns } from "./table-columns";

export interface ThawTools {
  readonly workbook: Workbook;
  readonly ledger: Ledger;
  readonly writerOptions: WriterOptions;
}

const mostRounds = 4;

/**
 * @param isWanted receives the current areas
 * @throws InvError if another INV is freezing or thawing; then nothing has changed
 */
export async function thawCells(
  tools: ThawTools,
  content: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  const { workbook, ledger, writerOptions } = tools;
  return workbook.step(async () => {
    const writer = ledger.open(writerOptions);
    try {
      return await thawIn({ ...tools, writer }, content, isWanted);
    } catch (error) {
      // Report the original error, even if a name or a sheet remains.
      await ledger.tidy(writer.sheets).catch(() => undefined);
      throw error;
    }
  });
}

async function thawIn(
  { writer, ...thawTools }: ThawTools & { readonly writer: LedgerWriter },
  { lines }: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  const { workbook, ledger } = thawTools;
  const { newName } = writer;
  let plan = await planThaw(workbook, lines, isWanted);
  const written = new Set<LedgerLine["entry"]>();
  const lost: CellRef[] = [];
  let cells = 0;
  if (plan.matches.length > 0) {
    await writer.start();
    await ledger.setState("none", "thawing");
  }
  for (let round = 1; plan.matches.length > 0 && round <= mostRounds; round += 1) {
    const tools = { workbook, around: plan.around, newName };
    // Use separate names: another INV that thaws the last formula deletes those of the ledger.
    const blocks = [...new Set(plan.matches.map(({ block }) => block))];
    const areas = blocks.map(({ block }) => block);
    const named = await nameBlocks(workbook, areas, newName);
    const anchors = new Map(blocks.map((block, index) => [block, named[index]?.anchor]));
    // If a block has moved since the plan, its address contains other cells.
    const inPlace = await blocksInPlace(workbook, blocks);
    const matches = plan.matches.filter(({ block }) => inPlace.has(block));
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
    for (const ref of result.missing) lost.push(ref);
    const before = plan.matches.length;
    plan = await planThaw(workbook, lines, isWanted);
    cells += before - plan.matches.length;
  }
  const dropped = new Set(await drop(thawTools, plan, { written, sheets: writer.sheets }));
  await ledger.setState("thawing", "none");
  const lostCells = skippedFor(lostReason, lost);
  if (dropped.size > 0 && plan.refused.length > 0) {
    // The removed lines may have kept back lines of earlier freezes of the same cells, so thaw again.
    const rest = lines.filter((line) => !dropped.has(line));
    const resumed = { ...thawTools, writerOptions: { ...thawTools.writerOptions, isResumed: true } };
    const again = await thawCells(resumed, { state: "none", lines: rest }, isWanted);
    return { cells: cells + again.cells, skipped: [...again.skipped, ...lostCells] };
  }
  const notAccepted = plan.matches.map((match) => ({
    ...match,
    reason: "The workbook didn't accept the formula",
  }));
  return { cells, skipped: [...byReason([...plan.refused, ...notAccepted]), ...lostCells] };
}

function replacementFor({
  block,
  area,
  formula,
  reader,
  line: { entry },
}: Match): Omit<Replacement, "anchor"> {
  const hasGivenFormat = (r: number, c: number): boolean =>
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
        numberFormat: hasGivenFormat(r, c) ? "General" : null,
      })),
    ),
  };
}

interface Dropped {
  readonly written: ReadonlySet<LedgerLine["entry"]>;
  /** The thaw's own sheets, which contain no lines. */
  readonly sheets: readonly string[];
}

/**
 * Removes the lines whose formulas are in their cells. A formula that INV didn't write may leave its cell again: somebody
 * redoes what they had undone, or is freezing it. So INV keeps the lines of a freeze under way, and checks the other cells once
 * more.
 */
async function drop(
  { workbook, ledger, writerOptions }: ThawTools,
  plan: ThawPlan,
  { written, sheets }: Dropped,
): Promise<readonly LedgerLine[]> {
  const own = plan.present.filter(({ entry }) => written.has(entry));
  const others = plan.present.filter(({ entry, isBeingFrozen }) => !written.has(entry) && !isBeingFrozen);
  await ledger.drop([...own, ...others]);
  if (others.length > 0) {
    const again = await planThaw(workbook, others, () => true);
    const back = [...new Set(again.matches.map(({ line }) => line.entry))];
    if (back.length > 0) {
      const writer = ledger.open(writerOptions);
      await writer.append(back);
      await writer.close();
    }
  }
  await ledger.tidy([...sheetsOf([...own, ...others]), ...sheets]);
  return [...own, ...others];
}

function byReason(refused: readonly Refused[]): readonly SkippedCells[] {
  const lists = new Map<string, Map<string, CellRef>>();
  for (const { reason, line, place } of refused) {
    const cells = lists.get(reason) ?? new Map<string, CellRef>();
    const cell = place.at ?? line.entry.ref;
    lists.set(reason, cells.set(cellKey(cell), cell));
  }
  return [...lists].map(([reason, cells]) => ({ reason, cells: [...cells.values()] }));
}
