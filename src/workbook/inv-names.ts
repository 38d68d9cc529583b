/**
 * INV behind a defined name: `=Stock(A2,B2)` where Stock is a LAMBDA over INV.QTY, directly or through other
 * names. Which names those are is read when it is asked, since nothing tells that one was changed. A name of
 * one sheet counts on all of them: a needless recalculation costs little.
 */
import { identifiersIn, isInvFormula } from "./inv-formulas";
import type { Area, DefinedName, FormulaCell, Workbook } from "./port";

type Matches = (formula: string) => boolean;

/** The cells whose formula holds an INV function or reaches one through a name. */
export async function findInvFormulas(
  workbook: Pick<Workbook, "names" | "findFormulas">,
  within?: readonly Area[],
): Promise<readonly FormulaCell[]> {
  return workbook.findFormulas(await invMatcher(workbook), within);
}

/** Tells the formulas that hold an INV function or reach one through a name, as the names are now. */
export async function invMatcher(workbook: Pick<Workbook, "names">): Promise<Matches> {
  return matcherOf(await workbook.names());
}

function matcherOf(names: readonly DefinedName[]): Matches {
  const reaching = new Set<string>();
  const matches: Matches = (formula) => isInvFormula(formula) || uses(formula, reaching);
  // A name may stand for a formula of another name: until no more are found.
  for (let before = -1; before < reaching.size;) {
    before = reaching.size;
    for (const { name, formula } of names) if (matches(formula)) reaching.add(name.toLowerCase());
  }
  return matches;
}

function uses(formula: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  for (const identifier of identifiersIn(formula)) if (names.has(identifier.toLowerCase())) return true;
  return false;
}
