/**
 * Colours of cells in Excel: conditional formats that INV recognizes by their formula, one for each area. A list of areas
 * (`getRanges`) would need only one, but Excel expects it with the list separator of the person's settings, which no API returns
 * (office-js 1167, 1985 and 2891).
 * Excel moves a conditional format with its cells. So INV first adds, and reads in the same batch whether the formulas are where
 * they were found. Only then it deletes the formats that are no longer right, by id. Otherwise it deletes what it has added.
 */
import { cellKey, isSameArea } from "../addresses";
import { areasAround, visitCells } from "../cell-areas";
import type { Area, CellRef, Look, ColourChange } from "../port";
import { areaOf, rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";

interface FoundColour {
  readonly areas: readonly Area[];
  readonly format: Excel.ConditionalFormat;
}

/** Each area adds about 3 KB to a request (see `limits.ts`). */
const areasPerTrip = 300;

export function colouredInOffice(batches: ExcelBatches, look: Look): Promise<readonly Area[]> {
  return batches.run(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load("items/name");
    await context.sync();
    const names = worksheets.items.map(({ name }) => name);
    return (await findColours(context, look, names)).flatMap(({ areas }) => areas);
  });
}

export function setColoursInOffice(
  batches: ExcelBatches,
  look: Look,
  change: ColourChange,
): Promise<boolean> {
  const { sheet, areas, formulas } = change;
  return batches.run(async (context) => {
    const found = await findColours(context, look, [sheet]);
    const right = found.filter((each) => each.areas.length === 1 && areas.some(isOneOf(each.areas)));
    const missing = areas.filter((area) => !right.some((each) => isOneOf(each.areas)(area)));
    const added: Excel.ConditionalFormat[] = [];
    let isAsFound = false;
    for (let from = 0; from === 0 || from < missing.length; from += areasPerTrip) {
      for (const area of missing.slice(from, from + areasPerTrip)) added.push(addColour(context, look, area));
      isAsFound = await sendWith(context, formulas);
    }
    const wrong = found.filter((each) => !right.includes(each)).map(({ format }) => format);
    for (const format of isAsFound ? wrong : added) format.delete();
    await context.sync();
    return isAsFound;
  });
}

/** Sends the queue, and returns whether the cells contained these formulas at that moment. */
async function sendWith(context: Excel.RequestContext, formulas: ColourChange["formulas"]): Promise<boolean> {
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

function addColour(context: Excel.RequestContext, look: Look, area: Area): Excel.ConditionalFormat {
  const format = rangeOf(context, area).conditionalFormats.add("Custom");
  const { rule, format: cells } = format.custom;
  rule.formula = look.formula;
  cells.font.color = look.color;
  cells.font.italic = true;
  const { bottom } = cells.borders;
  bottom.style = "Dot";
  bottom.color = look.color;
  return format;
}

async function findColours(
  context: Excel.RequestContext,
  look: Look,
  sheets: readonly string[],
): Promise<readonly FoundColour[]> {
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
    .filter(({ rule }) => rule.formula === look.formula)
    .map(({ sheet, format, ranges }) => ({
      format,
      areas: ranges.items.map((range) => areaOf(sheet, range)),
    }));
}

function isOneOf(areas: readonly Area[]): (area: Area) => boolean {
  return (area) => areas.some((each) => isSameArea(each, area));
}
