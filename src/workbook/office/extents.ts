/**
 * What formulas fill in Excel: spilled areas and old array formulas. Blocks without any are ruled out in
 * one round trip, so that thousands of plain formulas cost no question each. Before ExcelApi 1.12 Excel
 * cannot tell, and every formula counts as one cell.
 */
import { cellKey } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import type { OfficeSession } from "./session";
import type { CellRef, FormulaExtent } from "../port";

const questionsPerTrip = 1_000;

export async function officeExtents(
  session: OfficeSession,
  cells: readonly CellRef[],
): Promise<readonly FormulaExtent[]> {
  const plain = (ref: CellRef): FormulaExtent => ({
    ...placeOf(ref),
    rows: 1,
    cols: 1,
    isSharedArray: false,
  });
  if (!session.supports("1.12")) return cells.map(plain);
  return session.run(async (context) => {
    const known = new Map<string, FormulaExtent>();
    for (const part of parts(await arrayCells(context, cells))) {
      for (const extent of await askEach(context, part)) known.set(cellKey(extent), extent);
    }
    return cells.map((ref) => known.get(cellKey(ref)) ?? plain(ref));
  });
}

/** Cells of blocks in which something spills or is an array formula. */
async function arrayCells(context: Excel.RequestContext, cells: readonly CellRef[]): Promise<CellRef[]> {
  const blocks = [...bySheet(cells)].flatMap(([sheet, refs]) =>
    mergeCells(refs).map((block) => ({ sheet, block })),
  );
  const suspects: CellRef[] = [];
  for (const part of parts(blocks)) {
    const ranges = part.map(({ sheet, block: { row, col, rows, cols } }) => {
      const { worksheets } = context.workbook;
      return worksheets.getItem(sheet).getRangeByIndexes(row, col, rows, cols).load("hasSpill,savedAsArray");
    });
    await context.sync();
    for (const [index, { sheet, block }] of part.entries()) {
      const range = ranges[index];
      // Null where some cells are and some are not.
      if (range?.hasSpill === false && !range.savedAsArray && (range.savedAsArray as unknown) !== null) {
        continue;
      }
      for (let at = 0; at < block.rows * block.cols; at += 1) {
        const row = block.row + Math.floor(at / block.cols);
        suspects.push({ sheet, row, col: block.col + (at % block.cols) });
      }
    }
  }
  return suspects;
}

async function askEach(
  context: Excel.RequestContext,
  cells: readonly CellRef[],
): Promise<readonly FormulaExtent[]> {
  const asked = cells.map(({ sheet, row, col }) => {
    const { worksheets } = context.workbook;
    const range = worksheets.getItem(sheet).getRangeByIndexes(row, col, 1, 1);
    const spill = range.getSpillingToRangeOrNullObject();
    spill.load("rowCount,columnCount");
    return { range: range.load("formulas,savedAsArray,hasSpill"), spill };
  });
  await context.sync();
  const formulas = new Map(
    cells.map((ref, index) => [cellKey(ref), arrayFormulaOf(asked[index]?.range)] as const),
  );
  return cells.map((ref, index) => {
    const spill = asked[index]?.spill;
    if (spill !== undefined && !spill.isNullObject) {
      return { ...placeOf(ref), rows: spill.rowCount, cols: spill.columnCount, isSharedArray: false };
    }
    return { ...placeOf(ref), rows: 1, cols: 1, isSharedArray: sharesArray(ref, formulas) };
  });
}

/** The formula of a cell saved as an array that spills nowhere: an old array formula, alone or shared. */
function arrayFormulaOf(range: Excel.Range | undefined): string | null {
  return range?.savedAsArray === true && !range.hasSpill ? String(range.formulas[0]?.[0] ?? "") : null;
}

/** Cells of one old array formula show the very same text, side by side. */
function sharesArray(ref: CellRef, formulas: ReadonlyMap<string, string | null>): boolean {
  const own = formulas.get(cellKey(ref)) ?? null;
  if (own === null || !/[A-Z]\d/i.test(own)) return false;
  const beside = [
    { ...ref, row: ref.row + 1 },
    { ...ref, row: ref.row - 1 },
    { ...ref, col: ref.col + 1 },
    { ...ref, col: ref.col - 1 },
  ];
  return beside.some((other) => formulas.get(cellKey(other)) === own);
}

function placeOf({ sheet, row, col }: CellRef): CellRef {
  return { sheet, row, col };
}

function parts<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / questionsPerTrip) }, (_, index) =>
    list.slice(index * questionsPerTrip, (index + 1) * questionsPerTrip),
  );
}
