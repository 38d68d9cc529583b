/**
 * Finds cells by hidden names in Excel, which moves and grows a name's area with its cells (documented). The batch that uses
 * a name also resolves it, and it reads everything before it writes anything. Whether a batch is atomic for other people's
 * edits isn't documented, so callers check what the cells contained before.
 */
import type {
  Anchor,
  AnchoredCells,
  Area,
  CellRef,
  Exchange,
  Exchanged,
  CellState,
  HiddenName,
  NewCell,
} from "../port";
import { isErrorName } from "../cell-content";
import { areaOf, rangeOf } from "./area";
import { asText, toExcel } from "./cells";
import type { OfficeContents } from "./contents";
import { type Matrix, readBlocks } from "./read";
import type { ExcelBatches } from "./excel-batches";

const namesPerTrip = 500;

export async function addHiddenOfficeNames(
  batches: ExcelBatches,
  names: readonly HiddenName[],
): Promise<void> {
  await batches.run(async (context) => {
    for (let from = 0; from < names.length; from += namesPerTrip) {
      for (const { name, area } of names.slice(from, from + namesPerTrip)) {
        context.workbook.names.add(name, rangeOf(context, area)).visible = false;
      }
      await context.sync();
    }
  });
}

/** Reading takes several round trips. If a block moves in the meantime, INV reads it again, at most this often. */
const readings = 3;

export async function anchoredOfficeCells(
  batches: ExcelBatches,
  contents: OfficeContents,
  blocks: readonly (Anchor | Area)[],
): Promise<readonly (AnchoredCells | null)[]> {
  return batches.run(async (context) => {
    const found = new Map<number, AnchoredCells | null>();
    let areas = await locate(context, blocks);
    for (let reading = 1; found.size < blocks.length; reading += 1) {
      const rest = blocks.flatMap((_, index) => (found.has(index) ? [] : [index]));
      const states = await readStates(
        context,
        contents,
        rest.map((index) => areas[index] ?? null),
      );
      const after = await locate(context, blocks);
      for (const [at, index] of rest.entries()) {
        const isSame = JSON.stringify(after[index]) === JSON.stringify(areas[index]);
        if (isSame || reading === readings) found.set(index, states[at] ?? null);
      }
      areas = after;
    }
    return blocks.map((_, index) => found.get(index) ?? null);
  });
}

async function locate(
  context: Excel.RequestContext,
  blocks: readonly (Anchor | Area)[],
): Promise<readonly (Area | null)[]> {
  const ranges = blocks.map((block) => {
    if ("row" in block) return block;
    const { name, sheet } = block;
    const { worksheets, names } = context.workbook;
    const item =
      sheet === null
        ? names.getItemOrNullObject(name)
        : worksheets.getItemOrNullObject(sheet).names.getItemOrNullObject(name);
    const range = item.getRangeOrNullObject();
    range.load("rowIndex,columnIndex,rowCount,columnCount,worksheet/name");
    return range;
  });
  await context.sync();
  return ranges.map((range) => {
    if ("row" in range) return range;
    return range.isNullObject ? null : areaOf(range.worksheet.name, range);
  });
}

async function readStates(
  context: Excel.RequestContext,
  contents: OfficeContents,
  areas: readonly (Area | null)[],
): Promise<readonly (AnchoredCells | null)[]> {
  const blocks = areas.filter((area) => area !== null);
  const rows = blocks.map((): Matrix[] => [[], [], [], []]);
  let at = 0;
  const request = { blocks, property: "formulas", also: ["values", "valueTypes", "numberFormat"] } as const;
  await readBlocks(context, request, (_part, formulas, also) => {
    while (rows[at]?.[0]?.length === blocks[at]?.rows) at += 1;
    rows[at] = [formulas, ...also].map((matrix, index) => [...(rows[at]?.[index] ?? []), ...matrix]);
  });
  const cells = await cellStates(
    context,
    contents,
    rows.map((matrices, index) => ({ matrices, area: blocks[index] })),
  );
  const read = new Map(blocks.map((block, index) => [block, { block, cells: cells[index] ?? [] }]));
  return areas.map((area) => (area === null ? null : (read.get(area) ?? null)));
}

interface ReadArea {
  readonly area: Area | undefined;
  /** Formulas, values, types of values, and number formats. */
  readonly matrices: readonly Matrix[];
}

async function cellStates(
  context: Excel.RequestContext,
  { contentOf, learn }: OfficeContents,
  read: readonly ReadArea[],
): Promise<readonly CellState[][][]> {
  const unknown = new Map<string, CellRef>();
  for (const {
    area,
    matrices: [, values = [], types = []],
  } of read) {
    for (const [r, line] of types.entries()) {
      for (const [c, type] of line.entries()) {
        const name = String(values[r]?.[c]);
        if (area === undefined || type !== "Error" || isErrorName(name)) continue;
        unknown.set(name, { sheet: area.sheet, row: area.row + r, col: area.col + c });
      }
    }
  }
  await learn(context, unknown);
  return read.map(({ matrices }) => statesIn(matrices, contentOf));
}

/** Text behind an apostrophe may look like a formula. Only such a text equals its value, whereas a formula never does. */
function statesIn(
  [formulas = [], values = [], types = [], formats = []]: readonly Matrix[],
  contentOf: OfficeContents["contentOf"],
): CellState[][] {
  return formulas.map((line, r) =>
    line.map((formula, c) => {
      const value = values[r]?.[c];
      const numberFormat = formats[r]?.[c];
      const isFormula = typeof formula === "string" && formula.startsWith("=") && formula !== value;
      return {
        formula: isFormula ? formula : null,
        content: contentOf(value, types[r]?.[c]),
        numberFormat: typeof numberFormat === "string" ? numberFormat : "General",
      };
    }),
  );
}

export async function exchangeInOffice(
  batches: ExcelBatches,
  contents: OfficeContents,
  { writes, beside }: Exchange,
): Promise<Exchanged> {
  return batches.run(async (context) => {
    const parts = writes.map(({ anchor, block, area, cells }) => {
      const own = anchoredRange(context, anchor);
      const planned = rangeOf(context, block);
      // If a corner has become another cell, this intersection fails, and the batch with it.
      own.getCell(0, 0).getIntersection(planned.getCell(0, 0)).load("rowIndex");
      own.getLastCell().getIntersection(planned.getLastCell()).load("rowIndex");
      const part = () =>
        own.getCell(area.row - block.row, area.col - block.col).getResizedRange(area.rows - 1, area.cols - 1);
      return { area, cells, before: part().load("formulas,values,valueTypes,numberFormat"), target: part() };
    });
    const sides = beside.map((area) => rangeOf(context, area).load("formulas"));
    const isEntered = (cell: NewCell | null): boolean => cell !== null;
    const entered = parts.filter(({ cells }) => cells.some((line) => line.some(isEntered)));
    for (const { target, cells } of entered) {
      // A null in the matrix leaves its cell unchanged (documented).
      if (cells.flat().some((cell) => cell !== null && cell.numberFormat !== null)) {
        target.numberFormat = cells.map((line) => line.map((cell) => cell?.numberFormat ?? null));
      }
      target.formulas = cells.map((line) => line.map(entryOf));
    }
    await context.sync();
    const read = parts.map(({ area, before }): ReadArea => {
      return { area, matrices: [before.formulas, before.values, before.valueTypes, before.numberFormat] };
    });
    return {
      writes: await cellStates(context, contents, read),
      beside: sides.map(({ formulas }) =>
        (formulas as (string | number | boolean)[][]).map((line) =>
          line.map((cell) => (cell === "" ? null : cell)),
        ),
      ),
    };
  });
}

function entryOf(cell: NewCell | null): string | number | boolean | null {
  if (cell === null) return null;
  return cell.formula ?? toExcel(asText(cell.content));
}

/** Returns the range. The batch fails if the name or its cells were deleted. */
function anchoredRange({ workbook }: Excel.RequestContext, { name, sheet }: Anchor): Excel.Range {
  const { names } = sheet === null ? workbook : workbook.worksheets.getItem(sheet);
  return names.getItem(name).getRange();
}
