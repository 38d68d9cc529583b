/**
 * Cells found by hidden names in Excel, which moves and grows a name's area with its cells (documented). A name is
 * resolved in the batch that uses it, and a batch reads everything before it writes anything. Whether a batch is
 * atomic for other people's edits isn't documented, so callers read again what they have written.
 */
import type {
  Anchor,
  AnchoredCells,
  Area,
  CellRef,
  Exchange,
  Exchanged,
  HeldCell,
  HiddenName,
  NewCell,
} from "../port";
import { isError, isErrorName } from "../cell-content";
import { areaOf } from "./area";
import { asText, toExcel } from "./cells";
import type { OfficeContents } from "./contents";
import { type Matrix, readBlocks } from "./read";
import type { OfficeSession } from "./session";

const namesPerTrip = 500;

export async function addHiddenOfficeNames(
  session: OfficeSession,
  names: readonly HiddenName[],
): Promise<void> {
  await session.run(async (context) => {
    for (let from = 0; from < names.length; from += namesPerTrip) {
      for (const { name, area } of names.slice(from, from + namesPerTrip)) {
        context.workbook.names.add(name, rangeOf(context, area)).visible = false;
      }
      await context.sync();
    }
  });
}

/** Reading takes several round trips; a block that moves meanwhile is read again. */
const readings = 3;

export async function anchoredOfficeCells(
  session: OfficeSession,
  contents: OfficeContents,
  anchors: readonly Anchor[],
): Promise<readonly (AnchoredCells | null)[]> {
  return session.run(async (context) => {
    const found = new Map<number, AnchoredCells | null>();
    let areas = await locate(context, anchors);
    for (let reading = 1; found.size < anchors.length; reading += 1) {
      const rest = anchors.flatMap((_, index) => (found.has(index) ? [] : [index]));
      const held = await readHeld(
        context,
        contents,
        rest.map((index) => areas[index] ?? null),
      );
      const after = await locate(context, anchors);
      for (const [at, index] of rest.entries()) {
        const isSame = JSON.stringify(after[index]) === JSON.stringify(areas[index]);
        if (isSame || reading === readings) found.set(index, held[at] ?? null);
      }
      areas = after;
    }
    return anchors.map((_, index) => found.get(index) ?? null);
  });
}

async function locate(
  context: Excel.RequestContext,
  anchors: readonly Anchor[],
): Promise<readonly (Area | null)[]> {
  const ranges = anchors.map(({ name, sheet }) => {
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
  return ranges.map((range) => (range.isNullObject ? null : areaOf(range.worksheet.name, range)));
}

async function readHeld(
  context: Excel.RequestContext,
  { contentOf, learn }: OfficeContents,
  areas: readonly (Area | null)[],
): Promise<readonly (AnchoredCells | null)[]> {
  const blocks = areas.filter((area) => area !== null);
  const rows = blocks.map((): HeldCell[][] => []);
  const unknown = new Map<string, CellRef>();
  let at = 0;
  const request = { blocks, property: "formulas", also: ["values", "valueTypes", "numberFormat"] } as const;
  await readBlocks(context, request, (part, formulas, also) => {
    for (const [r, row] of heldCells([formulas, ...also], contentOf).entries()) {
      for (const [c, { content }] of row.entries()) {
        if (!isError(content) || isErrorName(content.error)) continue;
        unknown.set(content.error, { sheet: part.sheet, row: part.row + r, col: part.col + c });
      }
      while (rows[at]?.length === blocks[at]?.rows) at += 1;
      rows[at]?.push(row);
    }
  });
  await learn(context, unknown);
  const named = (cell: HeldCell): HeldCell =>
    isError(cell.content) ? { ...cell, content: contentOf(cell.content.error, "Error") } : cell;
  const read = new Map(
    blocks.map((block, index) => [block, { block, cells: (rows[index] ?? []).map((row) => row.map(named)) }]),
  );
  return areas.map((area) => (area === null ? null : (read.get(area) ?? null)));
}

/** Text that only looks like a formula (behind an apostrophe) has the same text as its value, which no formula's is. */
function heldCells(
  [formulas = [], values = [], types = [], formats = []]: readonly Matrix[],
  contentOf: OfficeContents["contentOf"],
): HeldCell[][] {
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
  session: OfficeSession,
  { contentOf }: OfficeContents,
  { writes, beside }: Exchange,
): Promise<Exchanged> {
  return session.run(async (context) => {
    await session.flush(context);
    const parts = writes.map(({ anchor, blockRows, blockCols, row, col, cells }) => {
      const block = anchoredRange(context, anchor);
      block.load("rowIndex,columnIndex,rowCount,columnCount,worksheet/name");
      const part = () =>
        block.getCell(row, col).getResizedRange(cells.length - 1, (cells[0]?.length ?? 1) - 1);
      const held = part().load("formulas,values,valueTypes,numberFormat");
      const sides = [block.getColumn(0), block.getRow(0)] as const;
      return { block, cells, held, target: part(), sides, blockRows, blockCols };
    });
    const read = beside.map((area) => rangeOf(context, area).load("formulas"));
    // Nulls change nothing (documented), but of another size than the range they are refused, and with them the batch.
    for (const { sides, blockRows, blockCols } of parts) {
      sides[0].numberFormat = Array.from({ length: blockRows }, () => [null]);
      sides[1].numberFormat = [Array<null>(blockCols).fill(null)];
    }
    for (const { target, cells } of parts) {
      // A null in the matrix leaves its cell as it is (documented).
      if (cells.flat().some((cell) => cell !== null && cell.numberFormat !== null)) {
        target.numberFormat = cells.map((line) => line.map((cell) => cell?.numberFormat ?? null));
      }
      target.formulas = cells.map((line) => line.map(entryOf));
    }
    await context.sync();
    return {
      writes: parts.map(({ block, held }) => ({
        block: areaOf(block.worksheet.name, block),
        cells: heldCells([held.formulas, held.values, held.valueTypes, held.numberFormat], contentOf),
      })),
      beside: read.map(({ formulas }) =>
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

/** Fails the batch where the name is gone, or its cells are. */
function anchoredRange({ workbook }: Excel.RequestContext, { name, sheet }: Anchor): Excel.Range {
  const { names } = sheet === null ? workbook : workbook.worksheets.getItem(sheet);
  return names.getItem(name).getRange();
}

function rangeOf({ workbook }: Excel.RequestContext, { sheet, row, col, rows, cols }: Area): Excel.Range {
  return workbook.worksheets.getItem(sheet).getRangeByIndexes(row, col, rows, cols);
}
