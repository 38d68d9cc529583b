/**
 * Reading many cells from Excel in few round trips. Excel on the web answers with at most 5 MB, so the
 * next request is sized by how long the cells of the last one were; an answer that is too large all the
 * same is asked for again in smaller parts. Nothing read so far is lost by that.
 */
import { isTooLarge } from "./errors";
import type { Block } from "../cell-areas";
import type { Area } from "../port";

export type Property = "values" | "formulas" | "text" | "valueTypes" | "valuesAsJson" | "numberFormat";

/** The first request; later ones follow the measure, at most four times the one before. */
const firstCells = 20_000;
const leastCells = 250;
const mostCells = 200_000;
/** Half of what is allowed: characters outside ASCII take more than one byte. */
const charactersPerAnswer = 2_500_000;

/** Hands over each part as it comes, in the order of the blocks. */
export async function readBlocks(
  context: Excel.RequestContext,
  request: { readonly blocks: readonly Area[]; readonly property: Property },
  take: (part: Area, cells: readonly (readonly unknown[])[]) => void,
): Promise<void> {
  const rest = [...request.blocks].reverse();
  let budget = firstCells;
  while (rest.length > 0) {
    const parts = nextParts(rest, budget);
    const answers = await readParts(context, parts, request.property);
    if (answers === "too large") {
      if (budget <= leastCells) throw tooLarge();
      rest.push(...parts.reverse());
      budget = Math.max(leastCells, Math.floor(Math.min(budget, countCells(parts)) / 4));
      continue;
    }
    let characters = 0;
    for (const [index, part] of parts.entries()) {
      const cells = answers[index] ?? [];
      characters += countCharacters(cells);
      take(part, cells);
    }
    const measured = Math.floor(charactersPerAnswer / (characters / countCells(parts)));
    budget = Math.min(mostCells, budget * 4, Math.max(leastCells, measured));
  }
}

/** Takes parts off the end of `rest` until they hold about `budget` cells; a large block is cut by rows. */
function nextParts(rest: Area[], budget: number): Area[] {
  const parts: Area[] = [];
  for (let left = budget; left > 0;) {
    const block = rest.pop();
    if (block === undefined) break;
    const rows = Math.max(1, Math.floor(left / block.cols));
    if (parts.length > 0 && rows * block.cols > left) {
      rest.push(block);
      break;
    }
    if (rows < block.rows) rest.push({ ...block, row: block.row + rows, rows: block.rows - rows });
    const part = { ...block, rows: Math.min(rows, block.rows) };
    parts.push(part);
    left -= part.rows * part.cols;
  }
  return parts;
}

async function readParts(
  context: Excel.RequestContext,
  parts: readonly Area[],
  property: Property,
): Promise<readonly (readonly (readonly unknown[])[])[] | "too large"> {
  const ranges = parts.map(({ sheet, row, col, rows, cols }) => {
    const { worksheets } = context.workbook;
    return loaded(worksheets.getItem(sheet).getRangeByIndexes(row, col, rows, cols), property);
  });
  try {
    await context.sync();
  } catch (error) {
    if (isTooLarge(error)) return "too large";
    throw error;
  }
  const answers = ranges.map((range) => range[property] as unknown[][] | null);
  // Seen instead of an error where a range has too many cells.
  return answers.every((answer) => answer !== null) ? answers : "too large";
}

function loaded(range: Excel.Range, property: Property): Excel.Range {
  range.load([property]);
  return range;
}

function countCells(parts: readonly Block[]): number {
  return parts.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
}

/** About what the cells take in the answer, quotes and commas included. */
function countCharacters(cells: readonly (readonly unknown[])[]): number {
  let characters = 0;
  for (const row of cells) {
    for (const cell of row) characters += 4 + lengthOf(cell);
  }
  return characters;
}

function lengthOf(cell: unknown): number {
  if (typeof cell === "string") return cell.length;
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell).length : 12;
}

function tooLarge(): Error {
  return Object.assign(new Error("Even a few cells are too large to read."), {
    code: "ResponsePayloadSizeLimitExceeded",
  });
}
