/**
 * What the spelling of a formula tells of the places it fills: which functions of INV it calls, and whether each
 * place of its result is one question of its own. Touches no workbook.
 */
import { functionFacts } from "../../domain/functions";
import { callsIn, invFunctionNamed, invFunctionsIn } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";

export interface FormulaShape {
  /** In capitals and without `INV.`: `QTY`. None where INV stands behind a name. */
  readonly calls: ReadonlySet<string>;
  /** A place shows what its own question was answered: nothing sorts, sums or hides what failed. */
  readonly isPlaceByPlace: boolean;
  /** The formula is one call and nothing around it. */
  readonly isBare: boolean;
}

/** Functions that leave each place where it is, and a failure a failure. */
const transparent: ReadonlySet<string> = new Set(["IFNA", "ROUND", "ABS"]);

export function shapeOf(formula: string): FormulaShape {
  const tokens = tokensOf(formula);
  const calls = callsIn(tokens);
  const own = calls.filter(({ nameIndex }) => invFunctionNamed(tokens[nameIndex]?.text ?? "") !== null);
  const around = calls.filter(
    (call) => !own.some(({ nameIndex, close }) => nameIndex <= call.nameIndex && call.close <= close),
  );
  return {
    calls: new Set(invFunctionsIn(formula)),
    isPlaceByPlace: own.length > 0 && around.every(({ name }) => transparent.has(name)),
    isBare: own.some(({ nameIndex, close }) =>
      tokens.every(
        ({ kind, text }, index) =>
          (index >= nameIndex && index <= close) || kind === "space" || (index === 0 && text === "="),
      ),
    ),
  };
}

/** What a number tells: `row` stands in a table whose rows are others each time. */
export type NumberKind = "quantity" | "time" | "row";

/** @param col of the place, counted from the formula's cell */
export function numberKindAt({ calls, isBare, isPlaceByPlace }: FormulaShape, col: number): NumberKind {
  const facts = Array.from(calls, (name) => functionFacts[name]);
  if (facts.length > 0 && facts.every((each) => each?.times === "everywhere")) return "time";
  if (isBare && facts.some((each) => each?.times === col)) return "time";
  return isPlaceByPlace && facts.some((each) => each?.hasOtherRows) ? "row" : "quantity";
}

/** When INV asked changes with every refresh, and tells nothing of the stock. */
export function tellsOnlyAsOf({ calls }: FormulaShape): boolean {
  return calls.size === 1 && calls.has("ASOF");
}
