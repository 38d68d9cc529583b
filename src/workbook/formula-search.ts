/**
 * The INV formulas that stand in the workbook, and clearing the register of those that are gone. A formula may hold INV or
 * reach it through a defined name: `=Stock(A2,B2)` where Stock is a LAMBDA over INV.QTY, directly or through other names.
 * Which names those are is read when it is asked, since nothing tells that one was changed. A name of one sheet counts on
 * all of them: a needless recalculation costs little.
 * A cell that the register knows has called INV, whatever its formula looks like: it counts as long as it holds any formula.
 * Only a cell that can be read for certain as one without a formula is gone.
 */
import type { CellRegister, CellUse } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import { definedNamesIn, isInvFormula } from "../formula/calls";
import { addressIn, cellKey, parseCellAddress } from "./addresses";
import { inTimeSlices } from "./in-time-slices";
import { areasOf } from "./known-cells";
import type { Area, FormulaCell, Workbook, DefinedName } from "./port";

export interface FormulaSearch {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

/** A formula, and what the register has of it; undefined where it has not, and then most likely will at `address`. */
export interface Located {
  readonly ref: FormulaCell;
  readonly address: string;
  use: CellUse | undefined;
  /** Its formula does not show that it reaches INV: it once did. */
  readonly isOnlyKnown?: true;
}

/** More areas than this cost more than a look at the whole workbook. */
const mostAreas = 500;

/**
 * Looks for INV formulas, everywhere or within these areas.
 * @param suspects addresses in the areas that the register knows, read when the answer has come
 */
export async function searchFormulas(
  { workbook, cells, clock }: FormulaSearch,
  suspects: () => Iterable<string>,
  within?: readonly Area[],
): Promise<readonly Located[]> {
  const found = await findInvFormulas(workbook, within);
  const { located, known } = await locate({ cells, clock }, found);
  // As it mostly is: the register knows no more cells than stand.
  if (known === cells.summary().cells) return located;
  const standing = new Set(located.map(({ address }) => address));
  const missing: string[] = [];
  await inTimeSlices(clock, [...suspects()], (address) => {
    if (!standing.has(address)) missing.push(address);
  });
  const holding = await forgetGone({ workbook, cells }, () => missing, areasOf(missing));
  const onlyKnown = await locate({ cells, clock }, holding);
  return [...located, ...onlyKnown.located.map((each) => ({ ...each, isOnlyKnown: true as const }))];
}

/**
 * Forgets the suspects that hold no formula any more.
 * @param suspects read when the answer has come
 * @returns what the others hold
 */
export async function forgetGone(
  { workbook, cells }: Pick<FormulaSearch, "workbook" | "cells">,
  suspects: () => Iterable<string>,
  areas: readonly Area[],
): Promise<readonly FormulaCell[]> {
  if (areas.length === 0) return [];
  const found = await workbook.findFormulas(isAny, areas.length > mostAreas ? undefined : areas);
  const standing = new Map(found.map((cell) => [cellKey(cell), cell]));
  const gone: string[] = [];
  const holding: FormulaCell[] = [];
  for (const address of suspects()) {
    const ref = parseCellAddress(address);
    if (ref === null) continue;
    const cell = standing.get(cellKey(ref));
    if (cell === undefined) gone.push(address);
    else holding.push(cell);
  }
  cells.forget(gone);
  return holding;
}

const isAny = (): boolean => true;

/** Where the register knows these formulas, and how many of them it knows. */
export async function locate(
  { cells, clock }: Pick<FormulaSearch, "cells" | "clock">,
  found: readonly FormulaCell[],
): Promise<{ readonly located: readonly Located[]; readonly known: number }> {
  const located: Located[] = [];
  let known = 0;
  let use: CellUse | undefined;
  const isKnown = (address: string): boolean => (use = cells.get(address)) !== undefined;
  await inTimeSlices(clock, found, (ref) => {
    const address = addressIn(isKnown, ref);
    if (use !== undefined) known += 1;
    // The register's own text, where there is one, so that the other need not be kept.
    located.push({ ref, address: use?.address ?? address, use });
  });
  return { located, known };
}

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
  return invMatcherWith(await workbook.names());
}

/** The same where the names are known. */
export function invMatcherWith(names: readonly DefinedName[]): Matches {
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
  return names.size > 0 && definedNamesIn(formula).some((name) => names.has(name.toLowerCase()));
}
