/**
 * Broadcasts the arguments of a formula as the functions do: a column and a row make a grid, whose cells are places. A formula
 * that is filled down has places in each of its rows.
 */
import { InvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import type { CellValue } from "../port";
import type { ArgumentValue, ArgumentsAt } from "./evaluate";

/** The limit of a template's grid. */
const mostPlaces = 200_000;
/** Takes about ten milliseconds. */
const perTurn = 10_000;

interface Rows {
  readonly argumentsAt: ArgumentsAt;
  readonly rows: number;
}

/** Visits every place, row by row, in several turns of the event loop. Rejects if there are too many. */
export async function inPlaces(
  clock: Clock,
  { argumentsAt, rows }: Rows,
  visit: (values: readonly CellValue[], down: number) => void,
): Promise<void> {
  let visited = 0;
  for (let down = 0; down < rows; down += 1) {
    const given = argumentsAt(down);
    const height = Math.max(1, ...given.map((each) => (isGrid(each) ? each.length : 1)));
    const width = Math.max(1, ...given.map((each) => (isGrid(each) ? (each[0]?.length ?? 1) : 1)));
    if (visited + height * width > mostPlaces) throw tooMany();
    for (let place = 0; place < height * width; place += 1) {
      const [row, col] = [Math.floor(place / width), place % width];
      visit(valuesAt(given, row, col), down);
      visited += 1;
      if (visited % perTurn === 0) await new Promise<void>((resolve) => clock.nextTurn(resolve));
    }
  }
}

/** Returns the arguments at a place of the result. */
export function valuesAt(given: readonly ArgumentValue[], row: number, col: number): readonly CellValue[] {
  return given.map((each) => valueAt(each, row, col));
}

/** A single row or column stretches; a longer one is blank beyond its end. */
function valueAt(given: ArgumentValue, row: number, col: number): CellValue {
  if (!isGrid(given)) return given;
  const line = given[given.length === 1 ? 0 : row];
  return line?.[line.length === 1 ? 0 : col] ?? null;
}

function isGrid(given: ArgumentValue): given is readonly (readonly CellValue[])[] {
  return Array.isArray(given);
}

function tooMany(): InvError {
  return new InvError(
    "bad-argument",
    `The lists make more than ${mostPlaces} cells. Use a shorter list, or several formulas.`,
  );
}
