/**
 * The cells of a refresh: the INV formulas of the workbook as it is now, narrowed to a scope, beside what the register knows
 * of them: what they ask for, whether they were calculated again since they were marked, and whether their answer is still
 * owed. A cell without a register entry is one that the host has not calculated in this session. A look at the whole
 * workbook also clears the register of formulas that are gone. Marks nothing and asks nothing.
 */
import type { CellRegister, CellUse } from "../../cells/cell-register";
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellAddresses, cellKey } from "../addresses";
import { type Located, searchFormulas } from "../formula-search";
import { queriesOf, visitQueries } from "../../cells/cell-record";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import type { Engine, Work } from "../../engine/types";
import { inTimeSlices } from "../in-time-slices";
import { knownIn } from "../known-cells";
import type { Area, FormulaExtent, Workbook } from "../port";
import { selectedAreas } from "../selected-areas";
import { spillsInto } from "../spills";
import { createWorkList } from "../work-list";

export type Target = Located;

/** How a cell stood when it was marked: its calculation, negative while that waited. Null: none in this session. */
export type Mark = number | null;

/** Looked up once: a record changes with its cell, until it is forgotten. */
export function useOf(cells: CellRegister, target: Target): CellUse | undefined {
  if (target.use !== undefined && target.use.calculation > 0) return target.use;
  // One that was not known when it was found may have come in the other spelling.
  return (target.use = cells.get(target.address) ?? cells.get(cellAddresses(target.ref)[1]));
}

export function markOf(use: CellUse | undefined): Mark {
  if (use === undefined) return null;
  return use.state === "waiting" ? -use.calculation : use.calculation;
}

/** Whether the cell was calculated since, or has ended what it was marked in. */
export function hasChanged(mark: Mark, use: CellUse): boolean {
  return markOf(use) !== mark;
}

export function asksNothing(use: CellUse): boolean {
  return use.asked === null;
}

/**
 * `older`: the cells whose values are older than the freshness time. `unanswered`: those that are owed an
 * answer, after a cancel, an outage or a spent quota.
 */
export type RefreshScope = "selection" | "sheet" | "workbook" | "older" | "unanswered";

export interface ScopesOptions {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
}

export interface ScopeChoice {
  readonly targets: readonly Target[];
  /** How many of them the register has seen. */
  readonly seen: number;
  readonly work: Work;
  /** Grids of which the selection holds a part, but not their formula: they are refreshed whole. */
  readonly grids: readonly FormulaExtent[];
  /** Formulas not seen yet may ask for anything: whether the service answers is to be tried first. */
  readonly needsCanary: boolean;
}

export interface Scopes {
  choose(scope: RefreshScope): Promise<ScopeChoice>;
  /** Those of the targets that still hold an INV formula. */
  again(targets: readonly Target[]): Promise<ScopeChoice>;
  /** The same, and of their work only what has not come yet. */
  rest(targets: readonly Target[]): Promise<ScopeChoice>;
}

export function createScopes({ workbook, engine, cells, clock }: ScopesOptions): Scopes {
  let finding: Promise<readonly Target[]> | null = null;

  /** One search at a time: several quotes asked for together share it. */
  function find(): Promise<readonly Target[]> {
    finding ??= findAll().finally(() => (finding = null));
    return finding;
  }

  function findAll(within?: readonly Area[]): Promise<readonly Target[]> {
    const before = cells.lastCalculation();
    return searchFormulas(
      { workbook, cells, clock },
      () => calculatedUntil(before, knownIn(cells, within ?? null)),
      within,
    );
  }

  /** What begins to calculate during a search may stand where it has looked already. */
  function* calculatedUntil(last: number, addresses: Iterable<string>): Iterable<string> {
    for (const address of addresses) if ((cells.get(address)?.calculation ?? 0) <= last) yield address;
  }

  /** Values past their time, left without an answer, of another environment, or of unknown age. */
  function isOlder(target: Target): boolean {
    const use = useOf(cells, target);
    if (use === undefined || use.owedBecause !== null) return true;
    const environmentId = engine.connection?.environment.id ?? null;
    if (use.environmentId !== environmentId) return true;
    if (use.oldestMs !== null) return clock.now() - use.oldestMs >= engine.settings.freshnessMs;
    return queriesOf(use).some((query) => !engine.isFresh(query));
  }

  async function inScope(scope: Exclude<RefreshScope, "selection">): Promise<readonly Target[]> {
    if (scope === "workbook") return find();
    if (scope === "older") return only(await find(), isOlder);
    if (scope === "unanswered") return only(await find(), isOwed);
    const [{ sheet }] = await selectedAreas(workbook, clock);
    return findAll([wholeSheet(sheet)]);
  }

  /** Only what is selected is read: a selection changes often, and a workbook may be large. */
  async function inSelection(): Promise<Pick<ScopeChoice, "targets" | "grids">> {
    const areas = await selectedAreas(workbook, clock);
    // By key: a formula in two areas that overlap counts once.
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

  async function only(
    targets: readonly Target[],
    isWanted: (target: Target) => boolean,
  ): Promise<readonly Target[]> {
    const wanted: Target[] = [];
    await inTimeSlices(clock, targets, (target) => {
      if (isWanted(target)) wanted.push(target);
    });
    return wanted;
  }

  function isOwed(target: Target): boolean {
    return (useOf(cells, target)?.owedBecause ?? null) !== null;
  }

  async function stillStanding(targets: readonly Target[]): Promise<readonly Target[]> {
    const standing = new Set((await find()).map(({ ref }) => cellKey(ref)));
    return targets.filter(({ ref }) => standing.has(cellKey(ref)));
  }

  async function withWork(
    targets: readonly Target[],
    isWanted?: (query: Query) => boolean,
  ): Promise<ScopeChoice> {
    const list = createWorkList(isWanted);
    let seen = 0;
    await inTimeSlices(clock, targets, (target) => {
      const use = useOf(cells, target);
      if (use === undefined) return;
      seen += 1;
      visitQueries(use, list.add);
    });
    return { targets, seen, work: list.work, grids: [], needsCanary: seen < targets.length };
  }

  const isNotFresh = (query: Query): boolean => !engine.isFresh(query);

  return {
    async choose(scope) {
      if (scope !== "selection") {
        return withWork(await inScope(scope), asksForTheRest(scope) ? isNotFresh : undefined);
      }
      const { targets, grids } = await inSelection();
      return { ...(await withWork(targets)), grids };
    },
    again: async (targets) => withWork(await stillStanding(targets)),
    rest: async (targets) => withWork(await stillStanding(targets), isNotFresh),
  };
}

/** Whether what has come meanwhile, with other cells, is left out. */
function asksForTheRest(scope: RefreshScope): boolean {
  return scope === "older" || scope === "unanswered";
}

/** Excel's largest sheet; nothing reads beyond what is in use. */
function wholeSheet(sheet: string): Area {
  return { sheet, row: 0, col: 0, rows: sheetRows, cols: sheetCols };
}
