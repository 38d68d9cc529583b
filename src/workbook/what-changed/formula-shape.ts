/**
 * What the spelling of a formula tells of the places it fills: which functions of INV it calls, and whether each
 * place of its result is one question of its own. Touches no workbook.
 */
import { functionFacts } from "../../domain/functions";
import { withoutTexts } from "../formula-text";

export interface FormulaShape {
  /** In capitals and without `INV.`: `QTY`. None where INV stands behind a name. */
  readonly calls: ReadonlySet<string>;
  /** A place shows what its own question was answered: nothing sorts, sums or hides what failed. */
  readonly isPlaceByPlace: boolean;
  /** The formula is one call and nothing around it. */
  readonly isBare: boolean;
}

const call = /(?<![\p{L}\p{N}_.])(?:_xldudf_INV_|INV\.)([A-Z]+)\s*\(/iu;
/** Functions that leave each place where it is, and a failure a failure. */
const transparent: ReadonlySet<string> = new Set(["IFNA", "ROUND", "ABS"]);

export function shapeOf(formula: string): FormulaShape {
  const calls = new Set<string>();
  let rest = withoutTexts(formula);
  for (let found = call.exec(rest); found !== null; found = call.exec(rest)) {
    calls.add((found[1] ?? "").toUpperCase());
    const inner = rest.slice(found.index + found[0].length);
    const end = closingAt(inner);
    for (const [, name = ""] of inner.slice(0, end).matchAll(new RegExp(call, "giu"))) {
      calls.add(name.toUpperCase());
    }
    rest = `${rest.slice(0, found.index)}@${inner.slice(end + 1)}`;
  }
  const around = [...rest.matchAll(/([\p{L}_][\p{L}\p{N}_.]*)\s*\(/gu)].map(([, name = ""]) => name);
  return {
    calls,
    isPlaceByPlace: calls.size > 0 && around.every((name) => transparent.has(name.toUpperCase())),
    isBare: rest.replaceAll(/\s/g, "") === "=@",
  };
}

/** Where the parenthesis closes that was opened just before. */
function closingAt(text: string): number {
  let depth = 1;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
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
