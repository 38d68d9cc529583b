/**
 * Finds the cells of a refresh, and what each of them needs: the workbook's INV formulas in a scope, with their queries. The
 * register has the queries of cells that this session has calculated. The queries of the others are read from their formulas. A
 * search of the whole workbook also removes deleted formulas from the register.
 * Invariant: only cells that need answers are part of a refresh, the same that the register counts (`needsAnswers`).
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { needsAnswers, queriesOf } from "../../cells/cell-record";
import { functionFacts, type FunctionPreview } from "../../domain/functions";
import { isHistory } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { invFunctionsIn } from "../../formula/calls";
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellKey, parseCellAddress } from "../addresses";
import { bySheet } from "../cell-areas";
import { readFormulaQueries } from "../formula-queries";
import { type FormulaEntry, searchFormulas } from "../formula-search";
import { inTimeSlices } from "../in-time-slices";
import type { Area, CellRef, FormulaExtent, Workbook } from "../port";
import { addressesIn, invCellAt } from "../register-cells";
import { selectedAreas } from "../selected-areas";
import { spillsInto } from "../spills";

export type Target = FormulaEntry;

/** What a cell of the refresh needs. */
export interface Need {
  readonly target: Target;
  readonly queries: readonly Query[];
  /** Those that may also read the item's whole history. */
  readonly sums: readonly Query[];
  /** The number of INV calls whose queries can't be predicted before the cell is calculated. */
  readonly unpredictable: number;
  /** Whether Excel may calculate the cell without calling INV, because an IF skips each call. */
  readonly isSkippable: boolean;
}

/** A cell that only shows how old other values are: the age of these queries' answers. */
export type StaleMark = Pick<Need, "target" | "queries">;

interface FoundCells {
  readonly needs: readonly Need[];
  readonly marks: readonly StaleMark[];
  /** All INV formulas, also those that need nothing. */
  readonly targets: readonly Target[];
}

/** Returns the target's register entry. Looks it up once: the entry changes with its cell, until it is removed. */
export function invCellOf(cells: CellRegister, target: Target): InvCell | undefined {
  if (target.invCell !== undefined && target.invCell.recalculation > 0) return target.invCell;
  return (target.invCell = invCellAt(cells, target.ref));
}

/** Returns where the target's cell is now: its sheet may have been renamed since it was found. */
export function placeOf({ ref, address, invCell }: Target): CellRef {
  if (invCell === undefined || invCell.recalculation === 0 || invCell.address === address) return ref;
  return parseCellAddress(invCell.address) ?? ref;
}

/**
 * `older` means cells with values older than the freshness time. `unanswered` means cells without an answer, for example after
 * an outage.
 */
export type RefreshScope = "selection" | "sheet" | "workbook" | "older" | "unanswered";

export interface RefreshContext {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
  readonly functions: Pick<FunctionPreview, "queries">;
}

export interface ScopeChoice extends FoundCells {
  /** Those that need answers, but that this session hasn't calculated. */
  readonly uncalculated: readonly Need[];
  /** Formulas outside the selection that fill a part of it. They are refreshed completely. */
  readonly grids: readonly FormulaExtent[];
}

export interface Scopes {
  choose(scope: RefreshScope): Promise<ScopeChoice>;
  /** Returns all INV cells of these sheets, or of the workbook, after somebody has edited it. */
  again(sheets: readonly string[] | null): Promise<FoundCells>;
}

export function createScopes({ workbook, engine, cells, clock, functions }: RefreshContext): Scopes {
  let finding: Promise<readonly Target[]> | null = null;

  // A search that began before an edit may have missed something.
  workbook.onEdit(() => (finding = null));

  /** Finds the targets. Quotes that start together share one search. */
  function find(): Promise<readonly Target[]> {
    if (finding !== null) return finding;
    const search = findAll().finally(() => {
      if (finding === search) finding = null;
    });
    return (finding = search);
  }

  function findAll(within?: readonly Area[]): Promise<readonly Target[]> {
    const before = cells.lastRecalculation();
    return searchFormulas(
      { workbook, cells, clock },
      () => calculatedUntil(before, addressesIn(cells, within ?? null)),
      within,
    );
  }

  /** Yields addresses, but skips cells that started to calculate during the search, which may have missed them. */
  function* calculatedUntil(last: number, addresses: Iterable<string>): Iterable<string> {
    for (const address of addresses) if ((cells.get(address)?.recalculation ?? 0) <= last) yield address;
  }

  /** Returns whether the value is stale, unanswered, from another environment, or of unknown age. */
  function isOlder(target: Target): boolean {
    const invCell = invCellOf(cells, target);
    if (invCell === undefined || invCell.unansweredBecause !== null) return true;
    const environmentId = engine.connection?.environment.id ?? null;
    if (invCell.environmentId !== environmentId) return true;
    const nowMs = clock.now();
    // If the clock has been set back, the value seems to be from the future, and its time doesn't show its age.
    if (invCell.oldestMs !== null && invCell.oldestMs <= nowMs) {
      return nowMs - invCell.oldestMs >= engine.settings.freshnessMs;
    }
    return queriesOf(invCell).some((query) => !engine.isFresh(query));
  }

  async function inScope(scope: Exclude<RefreshScope, "selection">): Promise<readonly Target[]> {
    if (scope === "workbook") return find();
    if (scope === "older") return filter(await find(), isOlder);
    if (scope === "unanswered") return filter(await find(), isUnanswered);
    const [{ sheet }] = await selectedAreas(workbook, clock);
    return findAll([wholeSheet(sheet)]);
  }

  /** Reads only the selection, because it changes often and the workbook may be large. */
  async function inSelection(): Promise<{ targets: readonly Target[]; grids: readonly FormulaExtent[] }> {
    const areas = await selectedAreas(workbook, clock);
    // Use a map by cell, so that a formula in two overlapping areas counts once.
    const targets = new Map((await findAll(areas)).map((each) => [cellKey(each.ref), each]));
    const grids = new Map<string, FormulaExtent>();
    for (const area of areas) {
      for (const grid of await spillsInto({ workbook, cells }, area, targets.size > 0)) {
        if (!targets.has(cellKey(grid))) grids.set(cellKey(grid), grid);
      }
    }
    const formulas = [...grids.values()].map((grid): Area => ({ ...grid, rows: 1, cols: 1 }));
    if (formulas.length > 0) {
      for (const each of await findAll(formulas)) targets.set(cellKey(each.ref), each);
    }
    return { targets: [...targets.values()], grids: [...grids.values()] };
  }

  async function filter(
    targets: readonly Target[],
    isWanted: (target: Target) => boolean,
  ): Promise<readonly Target[]> {
    const wanted: Target[] = [];
    await inTimeSlices(clock, targets, (target) => {
      if (isWanted(target)) wanted.push(target);
    });
    return wanted;
  }

  function isUnanswered(target: Target): boolean {
    return (invCellOf(cells, target)?.unansweredBecause ?? null) !== null;
  }

  async function withNeeds(targets: readonly Target[]): Promise<FoundCells> {
    const unseen = targets.filter((target) => registeredCall(target) === undefined);
    const read = await readFormulaQueries(
      { workbook, functions, clock },
      unseen.map(({ ref }) => ref),
    );
    const told = new Map(unseen.map((target, index) => [target, read[index]]));
    const needs: Need[] = [];
    const marks: StaleMark[] = [];
    await inTimeSlices(clock, targets, (target) => {
      const invCell = told.has(target) ? undefined : registeredCall(target);
      if (invCell === undefined) {
        const { isStaleMark, ...need } = told.get(target) ?? unread;
        if (isStaleMark) marks.push({ target, queries: need.queries });
        else if (need.queries.length + need.unpredictable > 0) needs.push({ target, ...need });
        return;
      }
      const queries = queriesOf(invCell);
      const sums = queries.some(isHistory) && mayReadWhole(target.ref.formula) ? queries : [];
      if (needsAnswers(invCell)) {
        needs.push({ target, queries, sums, unpredictable: 0, isSkippable: false });
      } else if (invCell.isStaleMark) marks.push({ target, queries });
    });
    return { needs, marks, targets };
  }

  /** Returns the register's entry if it has the cell's queries. A cell that has just begun has none yet. */
  function registeredCall(target: Target): InvCell | undefined {
    const invCell = invCellOf(cells, target);
    return invCell?.state === "waiting" && invCell.queries === null ? undefined : invCell;
  }

  return {
    async choose(scope) {
      const { targets, grids } =
        scope === "selection" ? await inSelection() : { targets: await inScope(scope), grids: [] };
      const found = await withNeeds(targets);
      const uncalculated: Need[] = [];
      for (const need of found.needs) {
        const invCell = invCellOf(cells, need.target);
        if (invCell === undefined || !needsAnswers(invCell)) uncalculated.push(need);
      }
      return { ...found, uncalculated, grids };
    },
    async again(sheets) {
      const areas = sheets?.map(wholeSheet);
      return withNeeds(await (areas === undefined ? find() : findAll(areas)));
    },
  };
}

/** Returns how many of the cells are in hidden rows. */
export async function countHidden(
  workbook: Pick<Workbook, "hiddenRows">,
  needs: readonly Need[],
): Promise<number> {
  let hidden = 0;
  for (const [sheet, refs] of bySheet(needs.map(({ target }) => target.ref))) {
    const first = refs.reduce((least, { row }) => Math.min(least, row), Infinity);
    const last = refs.reduce((most, { row }) => Math.max(most, row), first);
    const rows = await workbook.hiddenRows({ sheet, row: first, col: 0, rows: last - first + 1, cols: 1 });
    for (const { row } of refs) if (rows[row - first] === true) hidden += 1;
  }
  return hidden;
}

/** A formula that can't be read counts as one call. */
const unread = { queries: [], sums: [], unpredictable: 1, isSkippable: false, isStaleMark: false };

function mayReadWhole(formula: string): boolean {
  return invFunctionsIn(formula).some((name) => functionFacts[name]?.mayReadWhole === true);
}

/** Returns an area of Excel's largest size. Reads stop at the used range. */
function wholeSheet(sheet: string): Area {
  return { sheet, row: 0, col: 0, rows: sheetRows, cols: sheetCols };
}
