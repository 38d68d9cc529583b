/**
 * The places of a formula with names of several cells in it: its arguments laid over each other as the functions do,
 * a column against a row making a grid, for each row that it is filled down to.
 */
import { InvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
import type { CellValue } from "../port";
import type { ArgumentValue, ArgumentsAt } from "./evaluate";

/** As many cells as a grid of the templates has. */
const mostPlaces = 200_000;
/** Some ten milliseconds. */
const perTurn = 10_000;

interface Rows {
  readonly argumentsAt: ArgumentsAt;
  readonly rows: number;
}

/** Visits every place, row by row, some thousands in a turn. Rejects where there are too many. */
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

/** The arguments at a place of the result. */
export function valuesAt(given: readonly ArgumentValue[], row: number, col: number): readonly CellValue[] {
  return given.map((each) => valueAt(each, row, col));
}

/** One row or column stretches; what is beyond a longer one is blank. */
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
    `Expected at most ${mostPlaces} cells; the lists make more. Take a shorter list, or several formulas.`,
  );
}
