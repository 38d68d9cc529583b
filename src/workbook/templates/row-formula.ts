/**
 * Turns a formula that spills down a table's column into the formula of one row. That is the same only where every function
 * works value by value: a sum of a range isn't the sum of one of its cells.
 */
import { callsIn, invFunctionNamed } from "../../formula/calls";
import { areaOfCells } from "../../formula/cells";
import { columnName } from "../../formula/columns";
import { functionFacts } from "../../domain/functions";
import { references, respellReferences } from "../../formula/references";
import { tokensOf } from "../../formula/tokens";

const byValue: ReadonlySet<string> = new Set(
  `ABS CEILING DATE DAY EXACT FLOOR IF IFERROR IFNA IFS INT ISBLANK ISERROR ISNA ISNUMBER ISTEXT LEFT LEN LOWER MID MOD MONTH NOT
  NOW RIGHT ROUND ROUNDDOWN ROUNDUP SEARCH SIGN SUBSTITUTE SWITCH TEXT TODAY TRIM TRUNC UPPER VALUE WEEKDAY YEAR`.split(
    /\s+/,
  ),
);

/**
 * Returns null if a formula of one row can't replace it.
 * @param rows of the table, with its header; a reference may go on below them, as `A2:A500` does
 */
export function rowFormula(formula: string, rows: number): string | null {
  const areByValue = callsIn(tokensOf(formula)).every(
    ({ name, nameIndex }) => nameIndex === -1 || byValue.has(name) || isOneValue(name),
  );
  const areReadable = references(formula).cells.every(
    (cells) => cells.rows * cells.cols === 1 || (cells.sheet === null && isOverRows(cells, rows)),
  );
  if (!areByValue || !areReadable) return null;
  return respellReferences(formula, (cells, sheet) => {
    const area = sheet === null ? areaOfCells(cells) : null;
    return area !== null && area.rows > 1 ? `${columnName(area.col)}{row}` : null;
  });
}

function isOneValue(name: string): boolean {
  const facts = functionFacts[invFunctionNamed(name) ?? ""];
  return facts !== undefined && typeof facts.times !== "number" && facts.hasOtherRows !== true;
}

function isOverRows(
  area: { row: number; rows: number; cols: number; isSpilled: boolean },
  rows: number,
): boolean {
  return !area.isSpilled && area.cols === 1 && area.row === 1 && area.row + area.rows >= rows;
}
