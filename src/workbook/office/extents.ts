/**
 * Finds the cells that formulas fill in Excel: spilled areas and legacy array formulas. One round trip rules out the blocks
 * that contain neither, so INV doesn't query thousands of plain formulas one by one. Before ExcelApi 1.12, Excel can't report
 * them, and every formula counts as one cell.
 */
import { cellKey, contains } from "../addresses";
import { areasAround, bySheet, mergeCells } from "../cell-areas";
import { rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import { splitByTrip } from "./limits";
import type { Area, CellRef, FormulaExtent } from "../port";

/** A cell's range, what it spills to, and what is loaded of both. */
const objectsAsked = 3;

export async function officeExtents(
  batches: ExcelBatches,
  cells: readonly CellRef[],
): Promise<readonly FormulaExtent[]> {
  const plain = ({ sheet, row, col }: CellRef): FormulaExtent => {
    return { sheet, row, col, rows: 1, cols: 1, isSharedArray: false };
  };
  if (!batches.supports("1.12")) return cells.map(plain);
  return batches.run(async (context) => {
    const questions: CellQuestion[] = [];
    for (const part of splitByTrip(await arrayCells(context, cells, questions), objectsAsked)) {
      questions.push(...part.map((ref) => ask(context, ref)));
      await context.sync();
    }
    const extentByCell = new Map(extentsOf(questions).map((extent) => [cellKey(extent), extent]));
    return cells.map((ref) => extentByCell.get(cellKey(ref)) ?? plain(ref));
  });
}

interface CellQuestion {
  readonly ref: CellRef;
  readonly range: Excel.Range;
  readonly spill: Excel.Range;
}

/** Above this number, INV first checks larger blocks that include the cells in between. */
const manyBlocks = 200;

/**
 * Returns the cells of blocks in which a formula spills or is an array formula. Adds the queries about blocks of one cell to
 * `questions`.
 */
async function arrayCells(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
  questions: CellQuestion[],
): Promise<CellRef[]> {
  const suspects: CellRef[] = [];
  for (const part of splitByTrip(await suspiciousBlocks(context, cells), objectsAsked)) {
    const ranges = part.map((block) => {
      const isOne = block.rows === 1 && block.cols === 1;
      if (isOne) questions.push(ask(context, block));
      return isOne ? null : arrayFacts(context, block);
    });
    await context.sync();
    for (const [index, block] of part.entries()) {
      const range = ranges[index] ?? null;
      if (range === null || isPlain(range)) continue;
      for (let at = 0; at < block.rows * block.cols; at += 1) {
        const row = block.row + Math.floor(at / block.cols);
        suspects.push({ sheet: block.sheet, row, col: block.col + (at % block.cols) });
      }
    }
  }
  return suspects;
}

/** Returns the blocks to check. If there are many, it omits those in whose surroundings nothing spills. */
async function suspiciousBlocks(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
): Promise<readonly Area[]> {
  const blocks: Area[] = [];
  for (const refs of bySheet(cells).values()) {
    const merged = mergeCells(refs);
    if (merged.length <= manyBlocks) {
      blocks.push(...merged);
      continue;
    }
    const odd: Area[] = [];
    for (const part of splitByTrip(areasAround(refs))) {
      const ranges = part.map((block) => arrayFacts(context, block));
      await context.sync();
      odd.push(...part.filter((_, index) => !isPlain(ranges[index])));
    }
    const isOdd = (block: Area): boolean => odd.some((area) => contains(area, block));
    for (const block of merged) if (isOdd(block)) blocks.push(block);
  }
  return blocks;
}

function arrayFacts(context: Excel.RequestContext, area: Area): Excel.Range {
  return rangeOf(context, area).load("hasSpill,savedAsArray");
}

/** Returns whether no cell spills or is an array formula. Excel returns null if that differs between cells. */
function isPlain(range: Excel.Range | undefined): boolean {
  return range?.hasSpill === false && !range.savedAsArray && (range.savedAsArray as unknown) !== null;
}

function ask(context: Excel.RequestContext, { sheet, row, col }: CellRef): CellQuestion {
  const range = rangeOf(context, { sheet, row, col, rows: 1, cols: 1 });
  const spill = range.getSpillingToRangeOrNullObject();
  spill.load("rowCount,columnCount");
  return { ref: { sheet, row, col }, range: range.load("formulas,savedAsArray,hasSpill"), spill };
}

function extentsOf(questions: readonly CellQuestion[]): readonly FormulaExtent[] {
  const formulas = new Map(questions.map(({ ref, range }) => [cellKey(ref), arrayFormulaOf(range)] as const));
  return questions.map(({ ref, spill }) =>
    spill.isNullObject
      ? { ...ref, rows: 1, cols: 1, isSharedArray: sharesArray(ref, formulas) }
      : { ...ref, rows: spill.rowCount, cols: spill.columnCount, isSharedArray: false },
  );
}

/**
 * Returns the formula of a legacy array formula, single or shared: a cell that is saved as an array and doesn't spill.
 * Otherwise returns null.
 */
function arrayFormulaOf(range: Excel.Range): string | null {
  return range.savedAsArray && !range.hasSpill ? String(range.formulas[0]?.[0] ?? "") : null;
}

/** Returns whether the cell shares a legacy array formula with an adjacent cell: both then have the same text. */
function sharesArray(ref: CellRef, formulas: ReadonlyMap<string, string | null>): boolean {
  const formula = formulas.get(cellKey(ref)) ?? null;
  if (formula === null || !/[A-Z]\d/i.test(formula)) return false;
  const beside = [
    { ...ref, row: ref.row + 1 },
    { ...ref, row: ref.row - 1 },
    { ...ref, col: ref.col + 1 },
    { ...ref, col: ref.col - 1 },
  ];
  return beside.some((other) => formulas.get(cellKey(other)) === formula);
}
