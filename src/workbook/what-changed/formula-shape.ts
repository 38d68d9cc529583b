/** What the text of a formula shows: which INV functions it calls, and whether each place of its result shows its own query. */
import { functionFacts } from "../../domain/functions";
import { callsIn, invFunctionNamed, invFunctionsIn } from "../../formula/calls";
import { tokensOf } from "../../formula/tokens";

export interface FormulaShape {
  /** In capitals and without `INV.`: `QTY`. Empty if a defined name calls INV. */
  readonly calls: ReadonlySet<string>;
  /** Whether each place shows the answer to its own query: nothing sorts, sums or hides errors. */
  readonly isPlaceByPlace: boolean;
  readonly isBare: boolean;
}

/** Functions that move no places and, except for #N/A, hide no errors. */
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

/** The meaning of a number. `row` is a number in a table whose rows change, so that its difference means nothing. */
export type NumberKind = "quantity" | "time" | "row";

/** @param col the place's column, counted from the formula's cell */
export function numberKindAt({ calls, isBare, isPlaceByPlace }: FormulaShape, col: number): NumberKind {
  const facts = Array.from(calls, (name) => functionFacts[name]);
  if (facts.length > 0 && facts.every((each) => each?.times === "everywhere")) return "time";
  if (isBare && facts.some((each) => each?.times === col)) return "time";
  return isPlaceByPlace && facts.some((each) => each?.hasOtherRows) ? "row" : "quantity";
}

/**
 * Returns whether the formula shows only the time of the request, which changes with every refresh and says nothing about the
 * stock.
 */
export function showsOnlyAsOf({ calls }: FormulaShape): boolean {
  return calls.size === 1 && calls.has("ASOF");
}
