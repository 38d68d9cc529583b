/**
 * Marks of cells in Excel: conditional formats that INV recognizes by their formula, one for each area. A list of areas
 * (`getRanges`) would need only one, but Excel expects it with the list separator of the person's settings, which no API returns
 * (office-js 1167, 1985 and 2891).
 * Excel moves a conditional format with its cells. So INV first adds, and reads in the same batch whether the formulas are where
 * they were found. Only then it deletes the formats that are no longer right, by id. Otherwise it deletes what it has added.
 */
import { cellKey, isSameArea } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import type { Area, CellRef, Look, MarkChange } from "../port";
import { areaOf, rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";

interface FoundMark {
  readonly areas: readonly Area[];
  readonly format: Excel.ConditionalFormat;
}

/** Each area adds about 3 KB to a request (see `limits.ts`). */
const areasPerTrip = 300;

export function marksInOffice(batches: ExcelBatches, mark: Look): Promise<readonly Area[]> {
  return batches.run(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load("items/name");
    await context.sync();
    const names = worksheets.items.map(({ name }) => name);
    return (await findMarks(context, mark, names)).flatMap(({ areas }) => areas);
  });
}

export function setMarksInOffice(batches: ExcelBatches, mark: Look, change: MarkChange): Promise<boolean> {
  const { sheet, areas, formulas } = change;
  return batches.run(async (context) => {
    const found = await findMarks(context, mark, [sheet]);
    const right = found.filter((each) => each.areas.length === 1 && areas.some(isOneOf(each.areas)));
    const missing = areas.filter((area) => !right.some((each) => isOneOf(each.areas)(area)));
    const added: Excel.ConditionalFormat[] = [];
    let isAsFound = false;
    for (let from = 0; from === 0 || from < missing.length; from += areasPerTrip) {
      for (const area of missing.slice(from, from + areasPerTrip)) added.push(addMark(context, mark, area));
      isAsFound = await sendWith(context, formulas);
    }
    const wrong = found.filter((each) => !right.includes(each)).map(({ format }) => format);
    for (const format of isAsFound ? wrong : added) format.delete();
    await context.sync();
    return isAsFound;
  });
}

/** Sends the queue, and returns whether the cells contained these formulas at that moment. */
async function sendWith(context: Excel.RequestContext, formulas: MarkChange["formulas"]): Promise<boolean> {
  const areas = areasAround(formulas);
  const ranges = areas.map((area) => rangeOf(context, area));
  for (const range of ranges) range.load("formulas");
  await context.sync();
  const contents = new Map<string, unknown>();
  for (const [index, area] of areas.entries()) {
    const keep = (content: unknown, ref: CellRef): unknown => contents.set(cellKey(ref), content);
    visitCells(area, (ranges[index]?.formulas ?? []) as unknown[][], keep);
  }
  return formulas.every((cell) => contents.get(cellKey(cell)) === cell.formula);
}

function addMark(context: Excel.RequestContext, mark: Look, area: Area): Excel.ConditionalFormat {
  const format = rangeOf(context, area).conditionalFormats.add("Custom");
  const { rule, format: look } = format.custom;
  rule.formula = mark.formula;
  look.font.color = mark.color;
  look.font.italic = true;
  const { bottom } = look.borders;
  bottom.style = "Dot";
  bottom.color = mark.color;
  return format;
}

async function findMarks(
  context: Excel.RequestContext,
  mark: Look,
  sheets: readonly string[],
): Promise<readonly FoundMark[]> {
  const lists = sheets.map((sheet) => {
    const formats = context.workbook.worksheets.getItem(sheet).getRange().conditionalFormats;
    formats.load("items/id,items/type");
    return { sheet, formats };
  });
  await context.sync();
  const custom = lists.flatMap(({ sheet, formats }) =>
    formats.items
      .filter(({ type }) => type === "Custom")
      .map((format) => ({ sheet, format, rule: format.custom.rule, ranges: format.getRanges().areas })),
  );
  if (custom.length === 0) return [];
  for (const { rule, ranges } of custom) {
    rule.load("formula");
    ranges.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount");
  }
  await context.sync();
  return custom
    .filter(({ rule }) => rule.formula === mark.formula)
    .map(({ sheet, format, ranges }) => ({
      format,
      areas: ranges.items.map((range) => areaOf(sheet, range)),
    }));
}

function isOneOf(areas: readonly Area[]): (area: Area) => boolean {
  return (area) => areas.some((each) => isSameArea(each, area));
}
