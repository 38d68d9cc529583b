/**
 * Finding formulas in the whole workbook, hidden sheets included: the used range of every sheet, read in
 * large parts. Where a sheet's used range is huge (whole columns formatted), Excel is asked first where
 * its formulas are; if it cannot say (a protected sheet), the used range is read after all.
 */
import { areaOf } from "./office-area";
import { officeCode } from "./office-errors";
import { readBlocks } from "./office-read";
import type { Area, FormulaCell } from "./port";

/** Above this, asking where formulas are is cheaper than reading every cell. */
const cellsWorthNarrowing = 300_000;
/** Sheets may be deleted or renamed while we look. */
const attempts = 3;

export async function findOfficeFormulas(
  context: Excel.RequestContext,
  matches: (formula: string) => boolean,
): Promise<FormulaCell[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await findOnce(context, matches);
    } catch (error) {
      if (officeCode(error) !== "ItemNotFound" || attempt === attempts) throw error;
    }
  }
}

async function findOnce(
  context: Excel.RequestContext,
  matches: (formula: string) => boolean,
): Promise<FormulaCell[]> {
  const blocks: Area[] = [];
  for (const block of await usedBlocks(context)) {
    if (block.rows * block.cols <= cellsWorthNarrowing) blocks.push(block);
    else blocks.push(...(await formulaBlocks(context, block)));
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
  return found;
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
  const sheet = context.workbook.worksheets.getItem(block.sheet);
  const range = sheet.getRangeByIndexes(block.row, block.col, block.rows, block.cols);
  const holders = range.getSpecialCellsOrNullObject("Formulas");
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
