/**
 * Adds a column with a defined name in Excel. Other people may edit between any two round trips, so INV never reads a place
 * first and uses it later: Excel finds the place within the batch that writes. A hidden name covers the column, and Excel moves
 * it with the cells. It shows where the cells are when INV sets the formula of the visible name.
 * The formula is in English, whatever the settings (documented; `formulaLocal` is the localized one). The batch adds the
 * visible name before it writes any cell: if the name is in use, Excel refuses the rest.
 */
import { InvError } from "../../domain/errors";
import { areaOf } from "./area";
import { asText, formatRange, toExcel } from "./cells";
import { fromOfficeError } from "./errors";
import type { ExcelBatches } from "./excel-batches";
import type { CellRef, NamedColumn } from "../port";

/** Limits retries after somebody moves the column between round trips. */
const mostAttempts = 10;
const longestName = 250;
/** An interrupted save leaves its hidden name; INV then uses another. */
const mostLeftBehind = 9;

export async function addNamedOfficeColumn(batches: ExcelBatches, column: NamedColumn): Promise<CellRef> {
  return batches.run(async (context) => {
    // Send the step's queue now, so that a refusal of the next batch loses nothing else.
    const anchor = await freeAnchor(context, column.name);
    writeColumn(context, column, anchor);
    await context.sync();
    try {
      return await setFormula(context, column, anchor);
    } catch (error) {
      await undoColumn(context, column, anchor).catch(() => undefined);
      throw fromOfficeError(error);
    }
  });
}

/** Returns an unused hidden name. It contains the visible name, so nobody else uses it. */
async function freeAnchor(context: Excel.RequestContext, name: string): Promise<string> {
  const candidates = Array.from({ length: mostLeftBehind }, (_, at) => {
    const anchor = `_inv_list_${at}_${name}`.slice(0, longestName);
    return { anchor, found: context.workbook.names.getItemOrNullObject(anchor).load("name") };
  });
  await context.sync();
  return candidates.find(({ found }) => found.isNullObject)?.anchor ?? "";
}

function writeColumn(context: Excel.RequestContext, column: NamedColumn, anchor: string): void {
  const { cells, beside, name, headingFormat, entryFormat, roomToGrow } = column;
  const { names, worksheets } = context.workbook;
  const sheet = column.isNewSheet ? worksheets.add(column.sheet) : worksheets.getItem(column.sheet);
  const heading = column.isNewSheet
    ? sheet.getRangeByIndexes(0, 0, 1, 1)
    : sheet.getUsedRange(true).getLastColumn().getColumnsAfter(1).getCell(0, 0);
  const block = heading.getResizedRange(cells.length - 1, 0);
  names.add(name, block);
  names.add(anchor, block).visible = false;
  if (column.isNewSheet) sheet.freezePanes.freezeRows(1);
  const entries = cells.length - 1 + roomToGrow;
  const below = heading.getOffsetRange(1, 0).getResizedRange(entries - 1, 0);
  formatRange(below, { rows: entries, cols: 1 }, entryFormat);
  formatRange(heading, { rows: 1, cols: 1 }, headingFormat);
  block.formulas = cells.map((cell) => [toExcel(asText(cell))]);
  if (beside.length > 0) {
    formatRange(heading.getOffsetRange(0, 1), { rows: 1, cols: 1 }, headingFormat);
    block.getOffsetRange(0, 1).formulas = beside.map((cell) => [toExcel(asText(cell))]);
  }
}

/** Sets the formula. Resolves after a batch has found the column where the formula says. */
async function setFormula(
  context: Excel.RequestContext,
  { name, cells, formulaFor }: NamedColumn,
  anchor: string,
): Promise<CellRef> {
  const { names } = context.workbook;
  let expectedAt: CellRef | null = null;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const found = await findColumn(context, { name, formula: expectedAt && formulaFor(expectedAt), anchor });
    if (found.heading !== cells[0]) {
      throw new InvError("bad-argument", "Somebody changed the list while INV saved it. Save it again.");
    }
    if (JSON.stringify(found.at) === JSON.stringify(expectedAt)) {
      names.getItem(anchor).delete();
      await context.sync();
      return found.at;
    }
    expectedAt = found.at;
  }
  throw new InvError("internal", "Somebody keeps moving the list's cells. Save it again.");
}

/** Finds the column in the same batch that sets the name's formula, right before it does. */
async function findColumn(
  context: Excel.RequestContext,
  { name, formula, anchor }: { name: string; formula: string | null; anchor: string },
): Promise<{ readonly at: CellRef; readonly heading: unknown }> {
  const { names } = context.workbook;
  const block = names.getItem(anchor).getRange();
  block.load("rowIndex,columnIndex,rowCount,columnCount,values,worksheet/name");
  if (formula !== null) names.getItem(name).formula = formula;
  await context.sync();
  const { sheet, row, col } = areaOf(block.worksheet.name, block);
  return { at: { sheet, row, col }, heading: block.values[0]?.[0] };
}

/** Deletes the names, and the column unless somebody has changed it. */
async function undoColumn(
  context: Excel.RequestContext,
  { name, cells, beside }: NamedColumn,
  anchor: string,
): Promise<void> {
  const { names } = context.workbook;
  names.getItemOrNullObject(name).delete();
  const block = names.getItemOrNullObject(anchor).getRangeOrNullObject();
  block.load("values");
  await context.sync();
  const isOurs = !block.isNullObject && cells.every((cell, row) => block.values[row]?.[0] === cell);
  if (isOurs && block.values.length === cells.length) {
    block.clear("Contents");
    if (beside.length > 0) block.getOffsetRange(0, 1).clear("Contents");
  }
  names.getItemOrNullObject(anchor).delete();
  await context.sync();
}
