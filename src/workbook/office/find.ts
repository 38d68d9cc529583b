/**
 * Finds formulas in the whole workbook, including hidden sheets, by reading every sheet's used range in large parts. If a used
 * range is huge (whole columns are formatted), INV first asks Excel where its formulas are. If Excel can't tell (a protected
 * sheet), INV reads the used range.
 * Text behind an apostrophe may look like a formula ('=INV.QTY(…), because Excel omits the apostrophe (reported). Only such a
 * text equals its value.
 */
import { cellKey } from "../addresses";
import { mergeCells, visitCells } from "../cell-areas";
import { areaOf, rangeOf } from "./area";
import { officeCode } from "./errors";
import { readBlocks } from "./read";
import type { Area, FormulaCell } from "../port";

/** Above this number, asking where the formulas are is cheaper than reading every cell. */
const cellsWorthNarrowing = 300_000;
/** Another attempt is needed if somebody deletes or renames sheets in the meantime. */
const attempts = 3;

export interface FormulaRequest {
  readonly matches: (formula: string) => boolean;
  readonly within: readonly Area[] | undefined;
}

export async function findOfficeFormulas(
  context: Excel.RequestContext,
  { matches, within }: FormulaRequest,
): Promise<FormulaCell[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await findOnce(context, { matches, within });
    } catch (error) {
      if (officeCode(error) !== "ItemNotFound" || attempt === attempts) throw error;
    }
  }
}

async function findOnce(
  context: Excel.RequestContext,
  { matches, within }: FormulaRequest,
): Promise<FormulaCell[]> {
  const blocks: Area[] = [];
  const used = await usedBlocks(context);
  for (const block of within === undefined ? used : commonParts(used, within)) {
    const isSmall = block.rows * block.cols <= cellsWorthNarrowing;
    for (const part of isSmall ? [block] : await formulaBlocks(context, block)) blocks.push(part);
  }
  const found: FormulaCell[] = [];
  await readBlocks(context, { blocks, property: "formulas" }, ({ sheet, row, col }, cells) => {
    for (const [r, line] of cells.entries()) {
      for (const [c, formula] of line.entries()) {
        if (typeof formula !== "string" || !formula.startsWith("=") || !matches(formula)) continue;
        found.push({ sheet, row: row + r, col: col + c, formula });
      }
    }
  });
  return withoutTexts(context, found);
}

async function withoutTexts(
  context: Excel.RequestContext,
  found: readonly FormulaCell[],
): Promise<FormulaCell[]> {
  const texts = new Set<string>();
  await readBlocks(context, { blocks: mergeCells(found), property: "values" }, (part, cells) => {
    visitCells(part, cells, (value, ref) => {
      if (typeof value === "string" && value.startsWith("=")) texts.add(cellKey(ref));
    });
  });
  return texts.size === 0 ? [...found] : found.filter((ref) => !texts.has(cellKey(ref)));
}

function commonParts(used: readonly Area[], areas: readonly Area[]): readonly Area[] {
  const bySheet = new Map(used.map((block) => [block.sheet, block]));
  return areas.flatMap((area) => {
    const block = bySheet.get(area.sheet);
    if (block === undefined) return [];
    const row = Math.max(area.row, block.row);
    const col = Math.max(area.col, block.col);
    const rows = Math.min(area.row + area.rows, block.row + block.rows) - row;
    const cols = Math.min(area.col + area.cols, block.col + block.cols) - col;
    return rows > 0 && cols > 0 ? [{ sheet: area.sheet, row, col, rows, cols }] : [];
  });
}

async function usedBlocks(context: Excel.RequestContext): Promise<readonly Area[]> {
  const sheets = context.workbook.worksheets;
  sheets.load("items/name");
  await context.sync();
  const used = sheets.items.map((sheet) => ({
    name: sheet.name,
    range: sheet.getUsedRangeOrNullObject().load("rowIndex,columnIndex,rowCount,columnCount"),
  }));
  await context.sync();
  return used.filter(({ range }) => !range.isNullObject).map(({ name, range }) => areaOf(name, range));
}

async function formulaBlocks(context: Excel.RequestContext, block: Area): Promise<readonly Area[]> {
  const holders = rangeOf(context, block).getSpecialCellsOrNullObject("Formulas");
  holders.load("areaCount");
  try {
    await context.sync();
    if (holders.isNullObject) return [];
    const { areas } = holders;
    areas.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount");
    await context.sync();
    return areas.items.map((area) => areaOf(block.sheet, area));
  } catch {
    return [block];
  }
}
