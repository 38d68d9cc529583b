/**
 * Finds the INV formulas of the workbook, and removes cells without a formula from the register. A formula may call INV
 * directly or through defined names: `=Stock(A2,B2)`, where Stock is a LAMBDA over INV.QTY. The names are read every time,
 * because no event reports a changed name. A name of one sheet counts on all sheets, because a needless recalculation costs
 * little.
 * A registered cell has called INV, whatever its formula looks like, so it counts as long as it contains any formula.
 */
import type { CellRegister, InvCell } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import { definedNamesIn } from "../formula/calls";
import { addressIn, cellKey, parseCellAddress } from "./addresses";
import { inTimeSlices } from "./in-time-slices";
import { createFormulaReader, type ReadFormula } from "./inv-formula";
import { areasOf } from "./register-cells";
import type { Area, FormulaCell, Workbook, DefinedName } from "./port";

export interface FormulaSearch {
  readonly workbook: Workbook;
  readonly cells: CellRegister;
  readonly clock: Clock;
  /** Remembers the formulas. */
  readonly read?: ReadFormula;
}

/** A formula with its register entry. If there is no entry, `address` is its probable address. */
export interface FormulaEntry {
  readonly ref: FormulaCell;
  readonly address: string;
  invCell: InvCell | undefined;
}

/** Reading more areas than this takes longer than reading the whole workbook. */
const mostAreas = 500;

/**
 * Finds INV formulas, everywhere or within these areas. Without those that the host doesn't calculate, because nobody should wait
 * for their values; they stay in the register.
 * @param suspects returns the registered addresses in these areas; called after the search
 */
export async function searchFormulas(
  { workbook, cells, clock, read }: FormulaSearch,
  suspects: () => Iterable<string>,
  within?: readonly Area[],
): Promise<readonly FormulaEntry[]> {
  const found = await findInvFormulas(workbook, within, read);
  const { entries, registered } = await findEntries({ cells, clock }, found);
  // Usually every cell of the register still has its formula.
  if (registered === cells.size()) return entries.filter(isCalculated);
  const locatedAddresses = new Set(entries.map(({ address }) => address));
  const missing: string[] = [];
  await inTimeSlices(clock, [...suspects()], (address) => {
    if (!locatedAddresses.has(address)) missing.push(address);
  });
  const others = await forgetDeleted({ workbook, cells }, () => missing, areasOf(missing));
  return [...entries, ...(await findEntries({ cells, clock }, others)).entries].filter(isCalculated);
}

function isCalculated({ ref }: FormulaEntry): boolean {
  return ref.isBeyondLimit !== true;
}

/**
 * Removes those of the suspected cells that contain no formula from the register. Returns the others.
 * @param suspects called after the workbook was read
 */
export async function forgetDeleted(
  { workbook, cells }: Pick<FormulaSearch, "workbook" | "cells">,
  suspects: () => Iterable<string>,
  areas: readonly Area[],
): Promise<readonly FormulaCell[]> {
  if (areas.length === 0) return [];
  const found = await workbook.findFormulas(isAny, areas.length > mostAreas ? undefined : areas);
  const formulas = new Map(found.map((cell) => [cellKey(cell), cell]));
  const gone: string[] = [];
  const others: FormulaCell[] = [];
  for (const address of suspects()) {
    const ref = parseCellAddress(address);
    if (ref === null) continue;
    const cell = formulas.get(cellKey(ref));
    if (cell === undefined) gone.push(address);
    else others.push(cell);
  }
  cells.forget(gone);
  return others;
}

const isAny = (): boolean => true;

async function findEntries(
  { cells, clock }: Pick<FormulaSearch, "cells" | "clock">,
  found: readonly FormulaCell[],
): Promise<{ readonly entries: readonly FormulaEntry[]; readonly registered: number }> {
  const entries: FormulaEntry[] = [];
  let registered = 0;
  let invCell: InvCell | undefined;
  const isKnown = (address: string): boolean => (invCell = cells.get(address)) !== undefined;
  await inTimeSlices(clock, found, (ref) => {
    const address = addressIn(isKnown, ref);
    if (invCell !== undefined) registered += 1;
    // Use the register's own string, so that this entry needs no memory for it.
    entries.push({ ref, address: invCell?.address ?? address, invCell });
  });
  return { entries, registered };
}

type Matches = (formula: string) => boolean;

export async function findInvFormulas(
  workbook: Pick<Workbook, "names" | "findFormulas">,
  within?: readonly Area[],
  read?: ReadFormula,
): Promise<readonly FormulaCell[]> {
  return workbook.findFormulas(await invMatcher(workbook, read), within);
}

/** Returns a test for such formulas, based on the current names. */
export async function invMatcher(
  workbook: Pick<Workbook, "names">,
  read: ReadFormula = createFormulaReader(),
): Promise<Matches> {
  return invMatcherWith(await workbook.names(), read);
}

function invMatcherWith(names: readonly DefinedName[], read: ReadFormula): Matches {
  const reaching = new Set<string>();
  const matches: Matches = (formula) => callsInv(formula, read) || uses(formula, reaching);
  // A name may use another name, so repeat until no more are found.
  for (let before = -1; before < reaching.size;) {
    before = reaching.size;
    for (const { name, formula } of names) if (matches(formula)) reaching.add(name.toLowerCase());
  }
  return matches;
}

function callsInv(formula: string, read: ReadFormula): boolean {
  return formula.startsWith("=") && /INV[._]/i.test(formula) && read(formula).functions.length > 0;
}

function uses(formula: string, names: ReadonlySet<string>): boolean {
  return names.size > 0 && definedNamesIn(formula).some((name) => names.has(name.toLowerCase()));
}
