/**
 * Reads many cells from Excel in few round trips. The length of the last cells decides the size of the next request. If an answer
 * is too large (limits.ts), INV requests smaller parts, and keeps what it has read so far.
 */
import { rangeOf } from "./area";
import { isTooLarge } from "./errors";
import { charactersIn, charactersPerTrip, objectsPerTrip } from "./limits";
import type { Area } from "../port";

export type Property = "values" | "formulas" | "text" | "valueTypes" | "valuesAsJson" | "numberFormat";

/**
 * Number of cells in the first request. Later requests depend on the measured length, and are at most four times as large as
 * the last.
 */
const firstCells = 20_000;
const leastCells = 250;
const mostCells = 200_000;

export type Matrix = readonly (readonly unknown[])[];

export interface ReadRequest {
  readonly blocks: readonly Area[];
  readonly property: Property;
  readonly also?: readonly Property[];
}

/** Calls `take` with each part as it arrives, in the order of the blocks. */
export async function readBlocks(
  context: Excel.RequestContext,
  request: ReadRequest,
  take: (part: Area, cells: Matrix, also: readonly Matrix[]) => void,
): Promise<void> {
  const properties = [request.property, ...(request.also ?? [])];
  const rest = [...request.blocks].reverse();
  let budget = firstCells;
  while (rest.length > 0) {
    const parts = nextParts(rest, budget);
    const answers = await readParts(context, parts, properties);
    if (answers === "too large") {
      if (budget <= leastCells) throw tooLarge();
      rest.push(...parts.reverse());
      budget = Math.max(leastCells, Math.floor(Math.min(budget, countCells(parts)) / 4));
      continue;
    }
    let characters = 0;
    for (const [index, part] of parts.entries()) {
      const [cells = [], ...also] = answers[index] ?? [];
      characters += [cells, ...also].reduce((sum, matrix) => sum + countCharacters(matrix), 0);
      take(part, cells, also);
    }
    const measured = Math.floor(charactersPerTrip / (characters / countCells(parts)));
    budget = Math.min(mostCells, budget * 4, Math.max(leastCells, measured));
  }
}

/** Removes parts with about `budget` cells from the end of `rest` and returns them. Splits a large block by rows. */
function nextParts(rest: Area[], budget: number): Area[] {
  const parts: Area[] = [];
  for (let remainingCells = budget; remainingCells > 0 && parts.length < objectsPerTrip;) {
    const block = rest.pop();
    if (block === undefined) break;
    const rows = Math.max(1, Math.floor(remainingCells / block.cols));
    if (parts.length > 0 && rows * block.cols > remainingCells) {
      rest.push(block);
      break;
    }
    if (rows < block.rows) rest.push({ ...block, row: block.row + rows, rows: block.rows - rows });
    const part = { ...block, rows: Math.min(rows, block.rows) };
    parts.push(part);
    remainingCells -= part.rows * part.cols;
  }
  return parts;
}

async function readParts(
  context: Excel.RequestContext,
  parts: readonly Area[],
  properties: readonly Property[],
): Promise<readonly (readonly Matrix[])[] | "too large"> {
  const ranges = parts.map((part) => loaded(rangeOf(context, part), properties));
  try {
    await context.sync();
  } catch (error) {
    if (isTooLarge(error)) return "too large";
    throw error;
  }
  const answers = ranges.map((range) => properties.map((property) => range[property] as Matrix | null));
  // Excel may return null instead of an error if a range has too many cells.
  return answers.every(isWhole) ? answers : "too large";
}

function isWhole(answer: (Matrix | null)[]): answer is Matrix[] {
  return answer.every((matrix) => matrix !== null);
}

function loaded(range: Excel.Range, properties: readonly Property[]): Excel.Range {
  range.load([...properties]);
  return range;
}

function countCells(parts: readonly Area[]): number {
  return parts.reduce((sum, { rows, cols }) => sum + rows * cols, 0);
}

function countCharacters(cells: Matrix): number {
  let characters = 0;
  for (const row of cells) for (const cell of row) characters += charactersIn(cell);
  return characters;
}

function tooLarge(): Error {
  return Object.assign(new Error("Even a few cells are too large to read."), {
    code: "ResponsePayloadSizeLimitExceeded",
  });
}
