/**
 * Finds the cells of a refresh: the workbook's INV formulas in a scope, with their register entries. A cell without an entry is
 * one that the host hasn't calculated in this session. A search of the whole workbook also removes deleted formulas from the
 * register.
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellAddresses, cellKey, parseCellAddress } from "../addresses";
import { type FormulaEntry, searchFormulas } from "../formula-search";
import { queriesOf, visitQueries } from "../../cells/cell-record";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import type { Engine, Work } from "../../engine/types";
import { inTimeSlices } from "../in-time-slices";
import { addressesIn } from "../register-cells";
import type { Area, CellRef, FormulaExtent, Workbook } from "../port";
import { selectedAreas } from "../selected-areas";
import { spillsInto } from "../spills";
import { createWorkList } from "../work-list";

export type Target = FormulaEntry;

/**
 * The number of a cell's calculation when it was marked, negative if the calculation was waiting; null if there was none in
 * this session.
 */
export type Mark = number | null;

/** Returns the target's register entry. Looks it up once: the entry changes with its cell, until it is removed. */
export function invCellOf(cells: CellRegister, target: Target): InvCell | undefined {
  if (target.invCell !== undefined && target.invCell.recalculation > 0) return target.invCell;
  // A cell without an entry when it was found may have received one under the other notation of its address.
  return (target.invCell = cells.get(target.address) ?? cells.get(cellAddresses(target.ref)[1]));
}

/** Returns where the target's cell is now: its sheet may have been renamed since it was found. */
export function placeOf({ ref, address, invCell }: Target): CellRef {
  if (invCell === undefined || invCell.recalculation === 0 || invCell.address === address) return ref;
  return parseCellAddress(invCell.address) ?? ref;
}

export function markOf(invCell: InvCell | undefined): Mark {
  if (invCell === undefined) return null;
  return invCell.state === "waiting" ? -invCell.recalculation : invCell.recalculation;
}

/** Returns whether the cell was calculated since, or its calculation at that time has ended. */
export function hasChanged(mark: Mark, invCell: InvCell): boolean {
  return markOf(invCell) !== mark;
}

export function requestsNothing(invCell: InvCell): boolean {
  return invCell.queries === null;
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
}

export interface ScopeChoice {
  readonly targets: readonly Target[];
  /** Number of targets that the cell register contains. */
  readonly registered: number;
  readonly work: Work;
  /** Formulas outside the selection that fill a part of it. They are refreshed completely. */
  readonly grids: readonly FormulaExtent[];
  /** Formulas without an entry may request anything, so a probe must first test whether the service answers. */
  readonly needsProbe: boolean;
}

export interface Scopes {
  choose(scope: RefreshScope): Promise<ScopeChoice>;
  /** Returns the targets that still contain an INV formula, with all their queries or only those without a fresh answer. */
  again(targets: readonly Target[], which: "all" | "not-fresh"): Promise<ScopeChoice>;
  /** Recalculates formulas that inserted rows have moved out of the marked cells. The refresh has cached their values. */
  recalculateMoved(scope: RefreshScope): Promise<void>;
}

export function createScopes({ workbook, engine, cells, clock }: RefreshContext): Scopes {
  let finding: Promise<readonly Target[]> | null = null;

  /** Finds the targets. Quotes that start together share one search. */
  function find(): Promise<readonly Target[]> {
    finding ??= findAll().finally(() => (finding = null));
    return finding;
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
  async function inSelection(): Promise<Pick<ScopeChoice, "targets" | "grids">> {
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

  async function withWork(
    targets: readonly Target[],
    isWanted?: (query: Query) => boolean,
  ): Promise<ScopeChoice> {
    const list = createWorkList(isWanted);
    let registered = 0;
    await inTimeSlices(clock, targets, (target) => {
      const invCell = invCellOf(cells, target);
      if (invCell === undefined) return;
      registered += 1;
      visitQueries(invCell, list.add);
    });
    return { targets, registered, work: list.work, grids: [], needsProbe: registered < targets.length };
  }

  const isNotFresh = (query: Query): boolean => !engine.isFresh(query);

  return {
    async choose(scope) {
      if (scope !== "selection") {
        return withWork(await inScope(scope), skipsFresh(scope) ? isNotFresh : undefined);
      }
      const { targets, grids } = await inSelection();
      return { ...(await withWork(targets)), grids };
    },
    async again(targets, which) {
      const found = new Set((await find()).map(({ ref }) => cellKey(ref)));
      const existing = targets.filter(({ ref }) => found.has(cellKey(ref)));
      return withWork(existing, which === "all" ? undefined : isNotFresh);
    },
    async recalculateMoved(scope) {
      if (scope !== "workbook" && scope !== "older") return;
      const moved = (await find()).filter((target) => invCellOf(cells, target) === undefined);
      if (moved.length > 0) await workbook.recalculate(moved.map(placeOf));
    },
  };
}

/** Returns whether to omit queries with a fresh answer, which other cells may have requested. */
function skipsFresh(scope: RefreshScope): boolean {
  return scope === "older" || scope === "unanswered";
}

/** Returns an area of Excel's largest size. Reads stop at the used range. */
function wholeSheet(sheet: string): Area {
  return { sheet, row: 0, col: 0, rows: sheetRows, cols: sheetCols };
}
